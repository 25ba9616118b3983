import type { Command, Help } from 'commander'

/** Returns the manual page of a command line, as `man` reads it: its commands with their arguments and options. */
export function manualOf(command: Command, build: string): string {
  const help = command.createHelp()
  const name = command.name()
  return [
    `.TH ${name.toUpperCase()} 1 "" "${name} ${build}" "User Commands"`,
    '.SH NAME',
    `${name} \\- ${text(command.description()).replace(/\.$/, '')}`,
    '.SH SYNOPSIS',
    `.B ${name}`,
    '.I command',
    '[options]',
    '.SH OPTIONS',
    ...optionsOf(command, help),
    '.SH COMMANDS',
    ...leavesOf(command, help).flatMap((each) => commandLines(each, help)),
    '.SH EXIT STATUS',
    ...listed('0', 'Done.'),
    ...listed('1', 'Not possible.'),
    ...listed('2', 'The command line is wrong.'),
    '',
  ].join('\n')
}

/** Returns the visible commands that do something themselves. */
function leavesOf(command: Command, help: Help): Command[] {
  const commands = help.visibleCommands(command).filter((each) => each.name() !== 'help')
  return commands.length === 0 ? [command] : commands.flatMap((each) => leavesOf(each, help))
}

function commandLines(command: Command, help: Help): string[] {
  const described = help
    .visibleArguments(command)
    .flatMap((argument) => listed(help.argumentTerm(argument), help.argumentDescription(argument)))
  return [
    `.SS ${text(help.commandUsage(command))}`,
    sentence(help.commandDescription(command)),
    ...described,
    ...optionsOf(command, help),
  ]
}

function optionsOf(command: Command, help: Help): string[] {
  return help
    .visibleOptions(command)
    .flatMap((option) => listed(help.optionTerm(option), help.optionDescription(option)))
}

const listed = (term: string, description: string) => ['.TP', `.B ${text(term)}`, text(description)]

const sentence = (description: string) => `${text(description.charAt(0).toUpperCase() + description.slice(1))}.`

/** Returns a text as one line of input of `man`, in which it stands for itself. */
function text(line: string): string {
  return line
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll(/\s+/g, ' ')
    .replace(/^([.'])/, '\\&$1')
}
