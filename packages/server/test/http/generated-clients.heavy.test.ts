import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { generate } from 'orval'
import { generateApi } from 'swagger-typescript-api'
import { expect, onTestFinished, test } from 'vitest'
import { startTestService } from '../harness.ts'

const root = join(import.meta.dirname, '../../../..')
const compilerOptions = {
  ...{ strict: true, noEmit: true, skipLibCheck: true, types: [] },
  ...{ target: 'ES2023', module: 'ESNext', moduleResolution: 'bundler', lib: ['ES2023', 'DOM', 'DOM.Iterable'] },
}

test('[D9.11] clients that two generators make from the document type-check strictly', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'saldo-generated-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const service = await startTestService()
  onTestFinished(() => service.close())
  const { text, body: spec } = await service.call('GET', '/api/openapi.json')
  const document = join(folder, 'openapi.json')
  writeFileSync(document, text)

  await generate({ input: { target: document }, output: { target: join(folder, 'orval.ts'), client: 'fetch' } })
  const { files } = await generateApi({ spec, output: false, silent: true, httpClientType: 'fetch' })
  expect(files).toHaveLength(1)
  writeFileSync(join(folder, 'swagger.ts'), files[0]?.fileContent ?? '')
  writeFileSync(
    join(folder, 'use.ts'),
    `import { getBalance, postEntries } from './orval.ts'
     import { Api } from './swagger.ts'
     export const sum = async (): Promise<number> => {
       const answer = await getBalance()
       const other = await new Api().api.getBalance()
       return (answer.status === 200 ? answer.data.balance_ms : 0) + other.data.balance_ms
     }
     // @ts-expect-error a record without any field
     void postEntries({})`,
  )
  const options = { compilerOptions: { ...compilerOptions, allowImportingTsExtensions: true }, include: ['*.ts'] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(options))
  const check = promisify(execFile)(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder])
  expect(await check.catch(({ stdout }: { stdout: string }) => ({ stdout }))).toMatchObject({ stdout: '' })
})
