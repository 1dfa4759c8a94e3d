// Defines the routes of the API, and finds the route of a path.
import type { DoorContext } from '../../farm/graph/context';
import type { ReportExchange } from '../../farm/reported-uses/open-reports';
import type { SpoolmanApi } from './api';

export interface ApiRequest {
  /** The parts of the path that the route names in braces, decoded. */
  params: readonly string[];
  /** The query string without its question mark. */
  search: string;
  body: Buffer | undefined;
  client: ApiClient;
}

/** What the request shows of the program that sends it. */
interface ApiClient {
  address: string;
  userAgent: string | undefined;
  exchange: ReportExchange;
}

export interface ApiAnswer {
  status: number;
  /** undefined for an answer without a body, and for a stream. */
  json?: string;
  /** The number of all objects that match the filters of a list. */
  total?: number;
  /** A long list, part by part. */
  chunks?: AsyncIterable<string>;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export type Answer = (api: SpoolmanApi, request: ApiRequest, context: DoorContext) => Promise<ApiAnswer>;

export interface ApiRoute {
  method: Method;
  /** Below /api/v1, such as /spool/{id}. */
  path: string;
  /** Whether a caller needs the right to change something. */
  changes: boolean;
  answer: Answer;
}

/** @param answers by 'METHOD /path' */
export const defineRoutes = (
  answers: Record<`${Method} /${string}`, Answer>,
  { changes = true }: { changes?: boolean } = {},
): ApiRoute[] =>
  Object.entries(answers).map(([route, answer]) => {
    const [method, path] = route.split(' ') as [Method, string];
    return { method, path, changes: changes && method !== 'GET', answer };
  });

interface Found {
  route: ApiRoute;
  params: string[];
}

/** Finds routes by method and path. */
export class RouteTable {
  private readonly patterns: { pattern: RegExp; route: ApiRoute }[];

  constructor(readonly routes: readonly ApiRoute[]) {
    this.patterns = routes.map((route) => ({
      route,
      // A word in the place of a number is another path of Spoolman, which the gateway does not offer.
      pattern: new RegExp(
        `^${route.path.replace(/\{\w+\}/g, (name) => (name === '{id}' ? '(?!group$|find$)([^/]+)' : '([^/]+)'))}$`,
      ),
    }));
  }

  /** @returns the route, or the methods that the path has */
  find(method: string, path: string): Found | string[] {
    const matches = this.patterns.flatMap(({ pattern, route }) => {
      const match = pattern.exec(path);
      return match === null ? [] : [{ route, params: match.slice(1).map(decode) }];
    });
    const wanted = method === 'HEAD' ? 'GET' : method;
    const found = matches.find(({ route }) => route.method === wanted);
    return found ?? matches.flatMap(({ route }) => (route.method === 'GET' ? ['GET', 'HEAD'] : [route.method]));
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
