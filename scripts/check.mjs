// `npm run check`: format, lint, types, promises, dead exports, the client's size. Everything that can be known without running anything.
import { install, node, run } from './setup.mjs'

install()
run('biome', ['ci', '--error-on-warnings', '.'])
run('tsc', ['-b'])
run('oxlint', ['--type-aware', '--deny-warnings'])
run('knip', [])
run(node, ['scripts/size.mjs'])
