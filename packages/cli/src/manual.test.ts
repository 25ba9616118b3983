import { Command, Option } from 'commander'
import { expect, test } from 'vitest'
import { manualOf } from './manual.ts'

test('the manual page has each visible command with arguments and options, as plain text for man', () => {
  const saldo = new Command('saldo').description('Time tracking.').option('-v, --version', 'print it')
  saldo
    .command('off')
    .description("record a day's rest")
    .argument('<kind>', '.sick or spa')
    .option('--note <text>', 'say \\ why')
    .addOption(new Option('--secret').hideHelp())
  saldo.command('admin').description('manage').command('list').description('list users')
  saldo.command('names', { hidden: true }).description('for shells')
  expect(manualOf(saldo, '1.2.3').split('\n')).toEqual([
    '.TH SALDO 1 "" "saldo 1.2.3" "User Commands"',
    '.SH NAME',
    'saldo \\- Time tracking',
    '.SH SYNOPSIS',
    ...['.B saldo', '.I command', '[options]'],
    '.SH OPTIONS',
    ...['.TP', '.B \\-v, \\-\\-version', 'print it'],
    ...['.TP', '.B \\-h, \\-\\-help', 'display help for command'],
    '.SH COMMANDS',
    '.SS saldo off [options] <kind>',
    "Record a day's rest.",
    ...['.TP', '.B kind', '\\&.sick or spa'],
    ...['.TP', '.B \\-\\-note <text>', 'say \\e why'],
    ...['.TP', '.B \\-h, \\-\\-help', 'display help for command'],
    '.SS saldo admin list [options]',
    'List users.',
    ...['.TP', '.B \\-h, \\-\\-help', 'display help for command'],
    '.SH EXIT STATUS',
    ...['.TP', '.B 0', 'Done.'],
    ...['.TP', '.B 1', 'Not possible.'],
    ...['.TP', '.B 2', 'The command line is wrong.'],
    '',
  ])
})
