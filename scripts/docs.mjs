// `npm run docs`: writes the API reference and serves the documentation site. With `--build`, writes it into
// `docs/site/dist/`, and fails on dead links.
import { join } from 'node:path'
import { install, installSite, node, root, run } from './setup.mjs'

const site = join(root, 'docs', 'site')
const command = process.argv.includes('--build') ? 'build' : 'dev'
install()
installSite()
run(node, [join(site, 'api.mjs')])
run(node, [join(site, 'node_modules', 'vitepress', 'bin', 'vitepress.js'), command, site])
