import type { Command } from 'commander'
import type { SigningStatus } from '../outbound/signing/fetch-signer'
import type { Cli } from './cli'
import { printAnswer } from './print/print'

/** `bun renown signing-key show|rotate`: the key that signs Renown's own requests to websites. */
export function addSigning(program: Command, cli: Cli): void {
  const signing = program
    .command('signing-key')
    .description("show, rotate: the key that signs Renown's requests to websites")
  signing
    .command('show')
    .description('Show whether requests are signed, and the published keys')
    .addHelpText('after', '\nExample:\n  $ bun renown signing-key show')
    .action(async () => show(cli, await cli.withLink((link) => link.get('/signing'))))
  signing
    .command('rotate')
    .description('Create a new key. The old one stays published for 30 days')
    .addHelpText('after', '\nExample:\n  $ bun renown signing-key rotate')
    .action(async () => show(cli, await cli.withLink((link) => link.post('/signing/rotate'))))
}

function show(cli: Cli, { signer, keys, reason }: SigningStatus): void {
  if (cli.json()) printAnswer(cli.terminal, true, { signer, keys, reason })
  else if (reason !== null) cli.terminal.out(`${reason}\n`)
  if (cli.json() || signer === null) return
  cli.terminal.out(`Requests are signed as ${signer}.\n`)
  const rows = keys.map(({ keyid, created_at, retired_at }) => ({
    keyid,
    created: created_at ?? '–',
    retired: retired_at ?? '–',
  }))
  printAnswer(cli.terminal, false, rows)
}
