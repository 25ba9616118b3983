import findMyWay, { type HTTPMethod } from 'find-my-way'
import type { Method, Route } from './route.ts'

/** Longer path parameters match no route. */
const MAX_PARAM_LENGTH = 200

const METHODS: readonly Method[] = ['GET', 'POST', 'PUT', 'DELETE']

export interface Match {
  route: Route
  /** The parameters in the path, decoded. */
  params: Record<string, string | undefined>
}

/** Finds the route of a request. */
export class Router {
  readonly #router = findMyWay({ maxParamLength: MAX_PARAM_LENGTH })

  constructor(routes: readonly Route[]) {
    for (const route of routes) {
      const path = route.spec.path.replaceAll(/\{(\w+)\}/g, ':$1')
      this.#router.on(route.spec.method, path, () => undefined, route)
    }
  }

  find(method: string, path: string): Match | undefined {
    // The library takes `*` for `/`, and matches empty parameters.
    const found = path === '*' ? null : this.#router.find(method as HTTPMethod, path)
    if (!found || Object.values(found.params).includes('')) return undefined
    return { route: found.store as Route, params: found.params }
  }

  /** Returns the methods that a path allows, as the `Allow` header lists them; none if the path does not exist. */
  allowedMethods(path: string): string[] {
    const methods = METHODS.filter((method) => this.find(method, path))
    return methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
  }
}
