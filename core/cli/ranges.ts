import type { Command } from 'commander'
import type { RangeListStatus } from '../contracts/traffic'
import type { Cli } from './cli'
import { printAnswer } from './print/print'
import { exitCodes } from './print/terminal'

/** `bun renown range list|refresh`: the operators' address lists, which verify hits. */
export function addRanges(program: Command, cli: Cli): void {
  const ranges = program.command('range').description("list, refresh: the operators' address lists")
  ranges
    .command('list')
    .description('Show age, size and digest of each list')
    .addHelpText('after', '\nExample:\n  $ bun renown range list')
    .action(async () => show(cli, await cli.withLink((link) => link.get('/ranges'))))
  ranges
    .command('refresh')
    .description('Fetch every list now; exit code 1 if a list is still out of date')
    .addHelpText(
      'after',
      '\nExample:\n  $ RENOWN_RANGES_MIRROR=https://mirror.example bun renown range refresh',
    )
    .action(async () => {
      const lists = await cli.withLink((link) => link.post<RangeListStatus[]>('/ranges/refresh'))
      show(cli, lists)
      if (lists.some(({ status }) => status === 'stale' || status === 'never_fetched'))
        cli.exit(exitCodes.failed)
    })
}

function show(cli: Cli, lists: RangeListStatus[]): void {
  const rows = lists.map((list) => ({
    operator: list.operator,
    status: list.status.replace('_', ' '),
    age: age(list.age_seconds),
    prefixes: list.prefixes,
    sha256: list.sha256?.slice(0, 12) ?? null,
    list: list.url.replace('https://', ''),
  }))
  printAnswer(cli.terminal, cli.json(), cli.json() ? { lists } : rows)
  if (cli.json()) return
  const failed = Map.groupBy(
    lists.filter(({ last_error }) => last_error !== null),
    ({ last_error }) => last_error,
  )
  const doubts = new Set(lists.flatMap(({ in_doubt }) => in_doubt?.why ?? []))
  for (const why of doubts) cli.terminal.out(`\nIn doubt: ${why}\n`)
  for (const [error, group] of failed) cli.terminal.out(`\n${group.length} not renewed: ${error}\n`)
}

function age(seconds: number | null): string {
  if (seconds === null) return '–'
  if (seconds < 120) return `${Math.round(seconds)} s`
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`
  return `${Math.round(seconds / 3600)} h`
}
