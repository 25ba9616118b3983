import { Argument, Command } from 'commander'
import { expect, test } from 'vitest'
import { completionFor } from './completion.ts'

/** A command line of two levels, with texts that shells would read as their own. */
function commandLine(): Command {
  const saldo = new Command('saldo').option('-v, --version', 'print it').option('-q', 'no long name')
  saldo
    .command('off')
    .description("a day's rest")
    .addArgument(new Argument('<kind>', "whose? the team's").choices(['sick', 'spa']))
    .addArgument(new Argument('<size>', 'the size').choices(['half']))
    .option('--note <text>', 'say \\ why')
  saldo.command('admin').description('manage').command('list').description('list users')
  return saldo
}

test('bash completes commands, choices and long options at each place', () => {
  const places = completionFor('bash', commandLine()).match(/^ +'.* words='.*;;$/gm)
  expect(places).toEqual([
    "    '') words='off admin --version --help' ;;",
    "    '/off') words='sick spa --note --help' ;;",
    "    '/admin') words='list --help' ;;",
    "    '/admin/list') words='--help' ;;",
  ])
})

test('zsh describes commands, choices and long options at each place', () => {
  const script = completionFor('zsh', commandLine())
  expect(script.match(/^ +'.*;;$/gm)).toEqual([
    "    '') candidates=('off:a day'\\''s rest' 'admin:manage' '--version:print it') ;;",
    "    '/off') candidates=('sick:whose? the team'\\''s' 'spa:whose? the team'\\''s' '--note:say \\ why') ;;",
    "    '/admin') candidates=('list:list users') ;;",
    "    '/admin/list') candidates=() ;;",
  ])
  // The first word is the name of the command.
  expect(script).toContain(
    'for ((i = 2; i < CURRENT; i++)); do\n    case "$at/$words[i]" in\n      /off|/admin|/admin/list)',
  )
})

test('fish describes commands, choices and long options at each place', () => {
  const script = completionFor('fish', commandLine())
  expect(script.match(/^complete .*__saldo_at.*$/gm)).toEqual([
    "complete -c saldo -n \"__saldo_at ''\" -f -a off -d 'a day\\'s rest'",
    "complete -c saldo -n \"__saldo_at ''\" -f -a admin -d 'manage'",
    "complete -c saldo -n \"__saldo_at ''\" -l version -d 'print it'",
    "complete -c saldo -n \"__saldo_at '/off'\" -f -a sick -d 'whose? the team\\'s'",
    "complete -c saldo -n \"__saldo_at '/off'\" -f -a spa -d 'whose? the team\\'s'",
    "complete -c saldo -n \"__saldo_at '/off'\" -l note -d 'say \\\\ why'",
    "complete -c saldo -n \"__saldo_at '/admin'\" -f -a list -d 'list users'",
  ])
  expect(script).toContain('case /off /admin /admin/list\n')
})
