// Holds the address of a camera's page. The id is a parameter: browsers drop `.` and `..` from a path, and the router reads `%2F` as `/`.

/** The path `/cameras` belongs to REST. */
export const CAMERAS_ADDRESS = '/camera/';

export const cameraAddress = (id: string): string => `${CAMERAS_ADDRESS}?${new URLSearchParams({ id })}`;

/** Also reads the older form of the address, `/camera/ID`. */
export function parseCameraId({ pathname, search }: { pathname: string; search: string }): string {
  return new URLSearchParams(search).get('id') ?? decodeURIComponent(pathname.split('/')[2] ?? '');
}
