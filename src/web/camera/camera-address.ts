// The address of a camera's page. The id is a parameter: browsers drop `.` and `..` from a path, and the router reads `%2F`
// as `/`.

/** REST has `/cameras`. */
export const CAMERAS = '/camera/';

export const cameraAddress = (id: string): string => `${CAMERAS}?${new URLSearchParams({ id })}`;

/** Also of the older form, `/camera/ID`. */
export function cameraIn({ pathname, search }: { pathname: string; search: string }): string {
  return new URLSearchParams(search).get('id') ?? decodeURIComponent(pathname.split('/')[2] ?? '');
}
