import type { Argument, Command, Option } from 'commander'

/** The kinds of names of an account that a shell can complete: `saldo names` prints them. */
export const nameKinds = ['projects', 'tags', 'ids'] as const
/** One of `nameKinds`. */
export type NameKind = (typeof nameKinds)[number]

const namesByOption = new Map<string, NameKind>([
  ['--project', 'projects'],
  ['--tag', 'tags'],
  ['--tags', 'tags'],
])

/** Returns the command that prints names. A shell without an account, or with a damaged copy, completes none. */
const printing = (kind: NameKind) => `saldo names ${kind} 2>/dev/null`

/** A point on the command line, and what can follow it. */
interface CompletionPoint {
  /** The commands before it: `/admin/user`. */
  path: string
  commands: readonly Command[]
  options: readonly Option[]
  argument: Argument | undefined
}

function completionPointsOf(command: Command, path = ''): CompletionPoint[] {
  const commands = command
    .createHelp()
    .visibleCommands(command)
    .filter((each) => each.name() !== 'help')
  const { options, registeredArguments } = command
  const argument = registeredArguments[0]
  return [
    { path, commands, options, argument },
    ...commands.flatMap((each) => completionPointsOf(each, `${path}/${each.name()}`)),
  ]
}

export const shells = ['bash', 'zsh', 'fish'] as const

/** Returns the script that completes a command line in a shell. */
export function completionFor(shell: (typeof shells)[number], saldo: Command): string {
  const points = completionPointsOf(saldo)
  return { bash, zsh, fish }[shell](points)
}

const pathsOf = (points: readonly CompletionPoint[]) => points.flatMap(({ path }) => (path === '' ? [] : [path]))
const longOf = ({ options }: CompletionPoint) => options.flatMap(({ long }) => long ?? [])
const choicesOf = ({ argument }: CompletionPoint) => argument?.argChoices ?? []
/** True if the first argument is the id of an entry. */
const takesEntry = ({ argument, path }: CompletionPoint) => argument?.name() === 'id' && !path.startsWith('/admin')
const wordsOf = (point: CompletionPoint) => [
  ...point.commands.map((each) => each.name()),
  ...choicesOf(point),
  ...longOf(point),
  '--help',
]

function bash(points: readonly CompletionPoint[]): string {
  return `# bash completion of saldo: eval "$(saldo completion bash)"
_saldo() {
  local at='' word words i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$at/\${COMP_WORDS[i]}" in
      ${pathsOf(points).join('|')}) at="$at/\${COMP_WORDS[i]}" ;;
    esac
  done
  case "$at" in
${points.map((point) => `    '${point.path}') words='${wordsOf(point).join(' ')}' ;;`).join('\n')}
  esac
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD - 1]}" names='' quote=''
  # Bash breaks words at @.
  [ "$word" = @ ] && before=@ word=''
  case "$before" in
${[...namesByOption].map(([option, kind]) => `    ${option}) words='' names=$(${printing(kind)}) ;;`).join('\n')}
    @) words='' quote='"' names=$(${printing('projects')}) ;;
    *)
      case "$at" in
${points
  .filter(takesEntry)
  .map(({ path }) => `        '${path}') names=$(${printing('ids')}) ;;`)
  .join('\n')}
      esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
  local name
  while IFS= read -r name; do
    [[ $name && $name == "$word"* ]] || continue
    # After @, a name with a space is between quotes, which are part of the line that saldo reads.
    [[ $name == *' '* ]] && name="$quote$name$quote"
    COMPREPLY+=("$(printf %q "$name")")
  done <<< "$names"
}
complete -o default -F _saldo saldo
`
}

function zsh(points: readonly CompletionPoint[]): string {
  const described = (name: string, text: string) => `'${quoted(`${name}:${text}`)}'`
  const linesOf = (point: CompletionPoint) => [
    ...point.commands.map((each) => described(each.name(), each.description())),
    ...choicesOf(point).map((choice) => described(choice, point.argument?.description ?? '')),
    ...point.options.flatMap(({ long, description }) => (long ? [described(long, description)] : [])),
  ]
  const valuesOf = ([option, kind]: [string, NameKind]) =>
    `    ${option}) compadd -- \${(f)"$(${printing(kind)})"}; return ;;`
  return `#compdef saldo
# zsh completion of saldo: eval "$(saldo completion zsh)", or a file _saldo in a folder of $fpath
_saldo() {
  local at='' i
  local -a candidates
  for ((i = 2; i < CURRENT; i++)); do
    case "$at/$words[i]" in
      ${pathsOf(points).join('|')}) at="$at/$words[i]" ;;
    esac
  done
  case "$at" in
${points.map((point) => `    '${point.path}') candidates=(${linesOf(point).join(' ')}) ;;`).join('\n')}
  esac
  case "\${words[CURRENT - 1]}" in
${[...namesByOption].map(valuesOf).join('\n')}
  esac
  if [[ "\${words[CURRENT]}" = @* ]]; then
    # Names with a space would need quotes that are part of the line.
    compadd -P @ -- \${\${(f)"$(${printing('projects')})"}:#* *}
    return
  fi
  case "$at" in
${points
  .filter(takesEntry)
  .map(({ path }) => `    '${path}') compadd -- \${(f)"$(${printing('ids')})"} ;;`)
  .join('\n')}
  esac
  _describe saldo candidates || _files
}
if [ "$funcstack[1]" = _saldo ]; then _saldo "$@"; else compdef _saldo saldo; fi
`
}

function fish(points: readonly CompletionPoint[]): string {
  const lineOf = (point: CompletionPoint, rest: string, text: string) =>
    `complete -c saldo -n "__saldo_at '${point.path}'" ${rest} -d '${quotedForFish(text)}'`
  const linesOf = (point: CompletionPoint) => [
    ...point.commands.map((each) => lineOf(point, `-f -a ${each.name()}`, each.description())),
    ...choicesOf(point).map((choice) => lineOf(point, `-f -a ${choice}`, point.argument?.description ?? '')),
    ...point.options.flatMap(({ long, description }) => {
      const kind = namesByOption.get(long ?? '')
      const values = kind ? ` -x -a '(${printing(kind)})'` : ''
      return long ? [lineOf(point, `-l ${long.slice(2)}${values}`, description)] : []
    }),
    ...(takesEntry(point) ? [lineOf(point, `-f -a '(${printing('ids')})'`, 'an entry')] : []),
  ]
  return `# fish completion of saldo: saldo completion fish > ~/.config/fish/completions/saldo.fish
function __saldo_at
  set -l at ''
  for word in (commandline -opc)[2..-1]
    switch "$at/$word"
      case ${pathsOf(points).join(' ')}
        set at "$at/$word"
    end
  end
  test "$at" = "$argv[1]"
end
${points.flatMap(linesOf).join('\n')}
complete -c saldo -n 'string match -q "@*" -- (commandline -ct)' -f -a '@(${printing('projects')} | string match -v "* *")'
`
}

const quoted = (text: string) => text.replaceAll("'", `'\\''`)
const quotedForFish = (text: string) => text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")
