import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, matchesGlob, relative, resolve } from 'node:path'
import { Copy, DockerfileParser, From, type JSONInstruction } from 'dockerfile-ast'

export const root = join(import.meta.dirname, '../..')

/** The repository's Dockerfile, parsed. */
export const dockerfile = DockerfileParser.parse(readFileSync(join(root, 'Dockerfile'), 'utf8'))

/** The words of an instruction in JSON form, such as `CMD ["serve"]`. */
export function wordsOf(instruction: JSONInstruction): string[] {
  return instruction.getJSONStrings().map((word) => JSON.parse(word.getValue()))
}

/**
 * Does what the Dockerfile says, its COPY and RUN steps in their order, with folders instead of images and the Node
 * that runs this instead of the image's. Each stage has a folder below `folder` by its number. With `borrowed`, what
 * is installed and built here stands for the two steps that take long. Returns the folder of the last stage.
 */
export function buildImage(folder: string, { borrowed }: { borrowed: boolean }): string {
  const stages: { name: string | null; root: string; workDir: string }[] = []
  for (const instruction of dockerfile.getInstructions()) {
    if (instruction instanceof From) {
      stages.push({ name: instruction.getBuildStage(), root: join(folder, String(stages.length)), workDir: '/' })
      mkdirSync(join(folder, String(stages.length - 1)), { recursive: true })
      continue
    }
    const stage = stages.at(-1) as (typeof stages)[number]
    const words = instruction.getArguments().map((word) => word.getValue())
    const cwd = join(stage.root, stage.workDir)
    if (instruction.getKeyword() === 'WORKDIR') {
      stage.workDir = words[0] as string
      mkdirSync(join(stage.root, stage.workDir), { recursive: true })
    } else if (instruction instanceof Copy) {
      const flag = instruction.getFlags().find((flag) => flag.getName() === 'from')
      const from = flag && stages.find(({ name }) => name === flag.getValue())
      const [to = '', ...sources] = words.toReversed()
      for (const source of sources) {
        const isFolder = source.endsWith('/')
        const target = join(to.startsWith('/') ? stage.root : cwd, to, isFolder ? '' : basename(source))
        if (from) cpSync(join(from.root, source), target, { recursive: true })
        else copyFromContext(source, target)
      }
    } else if (instruction.getKeyword() === 'RUN') {
      const command = instruction.getArgumentsContent() ?? ''
      const stand = borrowed ? standIns[command] : undefined
      if (stand) stand(cwd)
      else execFileSync('/bin/sh', ['-c', command], { cwd, env: environment(), stdio: ['ignore', 'ignore', 'inherit'] })
    }
  }
  return (stages.at(-1) as (typeof stages)[number]).root
}

/** Copies what `.dockerignore` lets through: it names what may come, then what may not. */
function copyFromContext(source: string, target: string): void {
  const lines = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n')
  const leftOut = lines.filter((line) => line.startsWith('**/'))
  if (!lines.includes(`!${relative(root, resolve(root, source))}`))
    throw new Error(`.dockerignore leaves ${source} out`)
  cpSync(join(root, source), target, {
    recursive: true,
    filter: (path) => !leftOut.some((pattern) => matchesGlob(relative(root, path), pattern)),
  })
}

/** Replacements for steps by command, because `npm test` has done the same before. */
const standIns: Record<string, (folder: string) => void> = {
  'npm ci --omit=dev --ignore-scripts': borrowModules,
  'node scripts/bundle-web.mjs': (folder) =>
    cpSync(join(root, 'packages/web/dist'), join(folder, 'packages/web/dist'), { recursive: true }),
}

/** Packages as they are installed in the repository; those of the repository itself from the folder. */
function borrowModules(folder: string): void {
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, '@saldo'), { recursive: true })
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name !== '@saldo' && !name.startsWith('.')) symlinkSync(join(root, 'node_modules', name), join(modules, name))
  }
  for (const name of readdirSync(join(folder, 'packages'))) {
    symlinkSync(join(folder, 'packages', name), join(modules, '@saldo', name))
    const own = join(root, 'packages', name, 'node_modules')
    if (statSync(own, { throwIfNoEntry: false })) symlinkSync(own, join(folder, 'packages', name, 'node_modules'))
  }
}

function environment() {
  return { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` }
}

/** Returns the sizes of the files in a folder by path, in bytes. */
export function filesIn(folder: string): Map<string, number> {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return new Map(
    found.map(({ parentPath, name }) => {
      const path = join(parentPath, name)
      return [path.slice(folder.length + 1), statSync(path).size]
    }),
  )
}

// `node test/deploy/image.ts`: everything, the installation of packages too.
if (process.argv[1] === import.meta.filename) {
  const folder = mkdtempSync(join(tmpdir(), 'saldo-image-'))
  const image = buildImage(folder, { borrowed: false })
  const bytes = [...filesIn(image).values()].reduce((sum, size) => sum + size, 0)
  process.stdout.write(`${(bytes / 1e6).toFixed(1)} MB on top of the base image\n`)
  rmSync(folder, { recursive: true })
}
