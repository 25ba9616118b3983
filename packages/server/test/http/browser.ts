import type { CallOptions, TestResponse, TestService } from '../harness.ts'

/** Acts like a browser: keeps cookies and sends its origin. */
export interface Browser {
  call(method: string, path: string, options?: CallOptions): Promise<TestResponse>
  /** The cookies that it sends, by name. */
  cookies: ReadonlyMap<string, string>
}

/** A browser with a page of the service open. */
export function openBrowser(service: Pick<TestService, 'call' | 'origin'>): Browser {
  const cookies = new Map<string, string>()
  return {
    cookies,
    async call(method, path, options = {}) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const headers = { origin: service.origin, ...(cookie && { cookie }), ...options.headers }
      const answer = await service.call(method, path, { ...options, headers })
      for (const set of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
        if (/max-age=0/i.test(set)) cookies.delete(name)
        else cookies.set(name, value)
      }
      return answer
    },
  }
}

export const PASSWORD = 'correct horse battery'

let made = 0

/** A browser whose user has just signed up. */
export async function signUp(service: TestService, email = `browser-${++made}@example.com`): Promise<Browser> {
  const browser = openBrowser(service)
  const { setupCode } = service.service
  const json = {
    email,
    name: 'Ada Lovelace',
    password: PASSWORD,
    ...(setupCode !== undefined && { setup_code: setupCode }),
  }
  const { status, text } = await browser.call('POST', '/api/auth/sign-up', { json })
  if (status !== 201) throw new Error(`no sign-up: ${text}`)
  return browser
}
