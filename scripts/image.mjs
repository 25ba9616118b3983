// `npm run image -- FOLDER`: installs, builds, and collects what runs in a folder, with the Node that runs it. An
// earlier content of the folder is replaced in one step at the end, and kept as FOLDER.old.
import './node-version.mjs'
import { existsSync, renameSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { build, fail, installToServe, node, run } from './setup.mjs'

const [folder] = process.argv.slice(2)
if (!folder) fail('name a folder: npm run image -- /opt/saldo')
const target = resolve(process.env.INIT_CWD ?? '.', folder)
const [unfinished, old] = [`${target}.new`, `${target}.old`]

installToServe()
await build()
run(node, ['scripts/collect-image.mjs', unfinished, '--with-node'])
if (existsSync(target)) {
  rmSync(old, { recursive: true, force: true })
  renameSync(target, old)
}
renameSync(unfinished, target)
process.stdout.write(`${target} holds Saldo and its Node; restart the service to use it\n`)
