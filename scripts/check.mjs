// `npm run check`: format, lint, types, promises, dead exports. Everything that can be known without running anything.
import { install, run } from './setup.mjs'

install()
run('biome', ['ci', '--error-on-warnings', '.'])
run('tsc', ['-b'])
run('oxlint', ['--type-aware', '--deny-warnings'])
run('knip', [])
