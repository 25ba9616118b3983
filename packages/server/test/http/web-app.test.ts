import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '../harness.ts'
import { newFolder } from '../store/temporary.ts'
import { rawRequest, sendBytes } from './raw-http.ts'

const INDEX = `<!doctype html><title>Saldo</title><script src="/assets/app-1a2b.js"></script>${' '.repeat(2_000)}`
const SCRIPT = `console.log(${JSON.stringify('saldo'.repeat(500))})`
const SECRET = 'nobody may read this'
const PAGE = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

const { folder, remove } = newFolder()
const appDir = join(folder, 'dist')
let service: TestService
beforeAll(async () => {
  const write = (name: string, body: string | Uint8Array) => {
    const file = join(appDir, name)
    mkdirSync(join(file, '..'), { recursive: true })
    writeFileSync(file, body)
  }
  write('index.html', INDEX)
  write('sw.js', 'self.skipWaiting()')
  write('manifest.webmanifest', '{"name":"Saldo"}')
  write('icon.svg', '<svg/>')
  write('icon-192.png', Buffer.alloc(3_000, 7))
  write('assets/app-1a2b.js', SCRIPT)
  write('assets/app-1a2b.js.br', brotliCompressSync(SCRIPT))
  write('assets/app-1a2b.js.gz', gzipSync(SCRIPT))
  write('assets/more-3c4d.css', `a{color:red}${'/**/'.repeat(500)}`)
  write('assets/größe+1.woff2', 'font')
  write('assets/wörter-5e6f.js', '1')
  write('assets/some.worker-7a8b.js', '1')
  write('unknown.thing', 'x')
  write('.env', SECRET)
  write('.git/config', SECRET)
  write('assets/.hidden/x.js', SECRET)
  writeFileSync(join(folder, 'secret.txt'), SECRET)
  mkdirSync(join(folder, 'outside'))
  writeFileSync(join(folder, 'outside/secret.js'), SECRET)
  symlinkSync(join(folder, 'secret.txt'), join(appDir, 'link.txt'))
  symlinkSync(join(folder, 'outside'), join(appDir, 'assets/linked'))
  symlinkSync(join(folder, 'nowhere'), join(appDir, 'dangling'))
  service = await startTestService({ appDir })
})
afterAll(async () => {
  await service.close()
  remove()
})

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  rawRequest(service.url, path, { method, headers })

test('the app’s page is served at / and at every address within the app', async () => {
  for (const path of ['/', '/index.html', '/week/2026-W47', '/settings?x=1', '/a/b/c.d', '/apis', '/assets/gone.js']) {
    const { status, headers, body } = await get(path, PAGE)
    expect([status, body.toString()], path).toEqual([200, INDEX])
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'saldo-protocol': '3',
      'x-content-type-options': 'nosniff',
    })
  }
  // Whoever asks.
  expect((await get('/')).body.toString()).toBe(INDEX)
})

test('only a request for a page gets the app’s page; a file that does not exist is 404', async () => {
  for (const accept of [undefined, '*/*', 'image/png', 'application/json']) {
    for (const path of ['/assets/gone-9f9f.js', '/favicon.ico', '/week/2026-W47']) {
      const { status, headers } = await get(path, accept === undefined ? {} : { accept })
      expect(status, `${path} ${accept}`).toBe(404)
      expect(headers['content-type']).toBe('application/problem+json')
    }
  }
  expect((await get('/week/2026-W47', PAGE, 'POST')).status).toBe(404)
})

test('an address of the API never gets the app’s page', async () => {
  expect((await get('/api/health', PAGE)).headers['content-type']).toBe('application/json')
  expect((await get('/api/docs', PAGE)).body.toString()).toContain('swagger-ui')
  for (const path of ['/api', '/api/', '/api/nothing', '/api/week/2026-W47', '/api/../index.html']) {
    const { status, headers } = await get(path, PAGE)
    expect(status, path).toBe(404)
    expect(headers['content-type']).toBe('application/problem+json')
  }
})

test('each file has its type and the app’s policy, or the short one if a page or a worker loads it', async () => {
  const policy =
    "default-src 'none'; object-src 'none'; script-src 'self'; require-trusted-types-for 'script'; trusted-types default; " +
    "style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; " +
    "connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
  const short = "default-src 'none'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'"
  for (const [path, type, expected = policy] of [
    ['/', 'text/html; charset=utf-8'],
    ['/sw.js', 'text/javascript; charset=utf-8'],
    ['/manifest.webmanifest', 'application/manifest+json'],
    ['/icon.svg', 'image/svg+xml'],
    ['/icon-192.png', 'image/png'],
    ['/assets/some.worker-7a8b.js', 'text/javascript; charset=utf-8'],
    ['/assets/more-3c4d.css', 'text/css; charset=utf-8', short],
    [encodeURI('/assets/größe+1.woff2'), 'font/woff2', short],
    [encodeURI('/assets/wörter-5e6f.js'), 'text/javascript; charset=utf-8', short],
    ['/unknown.thing', 'application/octet-stream'],
  ] as const) {
    const { status, headers } = await get(path)
    expect(status, path).toBe(200)
    expect(headers['content-type']).toBe(type)
    expect(headers['content-security-policy']).toBe(expected)
  }
})

test('assets are cached for ever, the page is not stored; all are answered 304', async () => {
  for (const [path, caching] of [
    ['/', 'no-store'],
    ['/week/1', 'no-store'],
    ['/sw.js', 'no-cache'],
    ['/manifest.webmanifest', 'no-cache'],
    ['/icon-192.png', 'no-cache'],
    ['/assets/app-1a2b.js', 'public, max-age=31536000, immutable'],
  ] as const) {
    const { headers } = await get(path, PAGE)
    expect(headers['cache-control'], path).toBe(caching)
    const { etag = '' } = headers
    for (const known of [etag, `"x", ${etag}`, '*']) {
      for (const method of ['GET', 'HEAD']) {
        const fresh = await get(path, { ...PAGE, 'if-none-match': known, 'accept-encoding': 'br' }, method)
        expect([fresh.status, fresh.body.byteLength], `${path} ${known}`).toEqual([304, 0])
        expect(fresh.headers).toMatchObject({ etag, 'cache-control': headers['cache-control'] })
        expect(fresh.headers).not.toHaveProperty('content-encoding')
      }
    }
    expect((await get(path, { ...PAGE, 'if-none-match': '"x"' })).status).toBe(200)
  }
  const tags = await Promise.all(['/', '/sw.js', '/icon.svg'].map(async (path) => (await get(path)).headers.etag))
  expect(new Set(tags).size).toBe(3)
})

test('a file that the build compressed is sent compressed to clients that accept it', async () => {
  const path = '/assets/app-1a2b.js'
  for (const [accepted, encoding] of [
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['*', 'br'],
    ['identity', undefined],
  ] as const) {
    const { headers, body } = await get(path, { 'accept-encoding': accepted })
    expect(headers['content-encoding'], accepted).toBe(encoding)
    expect(headers.vary).toBe('Accept-Encoding')
    expect(headers['content-length']).toBe(String(body.byteLength))
    const sent = { br: brotliCompressSync(SCRIPT), gzip: gzipSync(SCRIPT), as_it_is: Buffer.from(SCRIPT) }
    expect(body.equals(sent[encoding ?? 'as_it_is']), accepted).toBe(true)
  }
  // Other text is compressed as answers are; pictures stay as they are.
  const style = await get('/assets/more-3c4d.css', { 'accept-encoding': 'gzip' })
  expect(gunzipSync(style.body).toString()).toMatch(/^a\{color:red\}/)
  const picture = await get('/icon-192.png', { 'accept-encoding': 'gzip' })
  expect(picture.headers).not.toHaveProperty('content-encoding')
  expect(picture.body.equals(Buffer.alloc(3_000, 7))).toBe(true)
})

test('HEAD answers as GET does, without a body', async () => {
  for (const path of ['/', '/week/1', '/assets/app-1a2b.js', '/assets/more-3c4d.css', '/icon-192.png', '/gone.js']) {
    const headers = path.includes('.') ? { 'accept-encoding': 'gzip' } : { ...PAGE, 'accept-encoding': 'gzip' }
    const got = await get(path, headers)
    const head = await get(path, headers, 'HEAD')
    expect([head.status, head.body.byteLength], path).toEqual([got.status, 0])
    const { 'x-request-id': _id, date: _date, ...expected } = got.headers
    expect(head.headers).toMatchObject(expected)
  }
})

test('no path leads out of the folder, to a hidden file or through a link', async () => {
  const paths = [
    ...['/.env', '/.git/config', '/assets/.hidden/x.js', '/link.txt', '/assets/linked/secret.js', '/dangling'],
    ...['/../secret.txt', '/..%2fsecret.txt', '/%2e%2e/secret.txt', '/%2e%2e%2fsecret.txt', '/assets/../../secret.txt'],
    ...['/..\\secret.txt', '/..%5csecret.txt', '/....//secret.txt', '/%252e%252e%252fsecret.txt', '/..;/secret.txt'],
    ...['/..%c0%afsecret.txt', '/%c0%ae%c0%ae/secret.txt', '/./.env', '//.env', '/%2eenv', '/.env%00.js', '/%00', '/%'],
    ...['//', '///etc/passwd', '//etc/passwd', `/${'x'.repeat(8_000)}`, `/${'../'.repeat(2_000)}etc/passwd`, '/%zz'],
    ...['/__proto__', '/constructor', '/assets', '/assets/', 'http://localhost/.env', 'http://localhost/../secret.txt'],
  ]
  for (const path of paths) {
    for (const accept of ['*/*', PAGE.accept]) {
      const head = ['GET ', path, ' HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\naccept: ', accept, '\r\n\r\n']
      const answer = await sendBytes(service.url, head.join(''))
      const [, status] = /^HTTP\/1\.1 (\d+)/.exec(answer) ?? []
      expect(answer, path).not.toContain(SECRET)
      expect(answer, path).not.toContain('root:')
      expect(answer.toLowerCase(), path).toContain('saldo-protocol: 3')
      // A page at most.
      expect(['400', '404', ...(accept === PAGE.accept ? ['200'] : [])], path).toContain(status)
      if (status === '200') expect(answer).toContain(INDEX)
    }
  }
  expect(service.log.filter(({ level }) => level === 'error')).toEqual([])
})

test('files are read once: what changes in the folder is served after the next start', async () => {
  writeFileSync(join(appDir, 'late.txt'), 'late')
  expect((await get('/late.txt')).status).toBe(404)
  await service.restart()
  expect((await get('/late.txt')).body.toString()).toBe('late')
  await service.restart(() => rmSync(join(appDir, 'index.html')))
  expect((await get('/sw.js')).status).toBe(404)
  expect((await get('/', PAGE)).status).toBe(404)
  expect((await get('/week/1', PAGE)).status).toBe(404)
})
