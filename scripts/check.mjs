// `npm run check`: format, lint, types, promises, dead exports, language, the client's size. It runs no test.
import { install, node, run } from './setup.mjs'

install()
run('biome', ['ci', '--error-on-warnings', '.'])
run('tsc', ['-b'])
run('oxlint', ['--type-aware', '--deny-warnings'])
run('knip', [])
run(node, ['scripts/check-language.mjs'])
run(node, ['scripts/size.mjs'])
