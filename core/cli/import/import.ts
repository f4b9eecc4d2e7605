import type { Command } from 'commander'
import type { BatchReason, ReasonCount } from '../../contracts/traffic'
import type { Cli } from '../cli'
import type { Link } from '../link'
import { printAnswer } from '../print/print'
import { exitCodes } from '../print/terminal'
import { type Agents, importSource } from './import-run'
import { openSource, type Source } from './import-source'
import type { ImportTally } from './import-state'
import { progressBar } from './progress'

const help = `
Reads nginx and Apache logs (combined, common, with virtual host), nginx and Caddy JSON, and our own
NDJSON; plain, gzip or zstd, told by content. What was imported is remembered: running it again goes on
where it stopped, also when the log has grown or was rotated. Standard input is not remembered; a repeat
of the same text within 24 hours is not counted twice.

Examples:
  $ bun renown log import /var/log/nginx/access.log --site example.com
  $ zcat access.log.*.gz | bun renown log import - --site <site_id>`

/** `bun renown log import <file|->`: imports old logs of any age, with the same parsers as for sent logs. */
export function addImport(program: Command, cli: Cli): void {
  program
    .command('log')
    .description('import: the hits of old access logs')
    .command('import')
    .description('Count the hits of an access log')
    .argument('<file>', 'the log, or - for standard input')
    .requiredOption('--site <site>', 'id or domain of the site that the log belongs to')
    .addHelpText('after', help)
    .action(async (file: string, { site }: { site: string }) => {
      const source = openSource(file, () => Bun.stdin.stream())
      await cli.withLink((link) => importLog(cli, link, source, site))
    })
}

async function importLog(cli: Cli, link: Link, source: Source, site: string): Promise<void> {
  const { site_id } = await link.get<{ site_id: string }>(`/site?site=${encodeURIComponent(site)}`)
  const interruption = { is: false }
  const interrupt = () => {
    interruption.is = true
  }
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt)
  const bar = progressBar(cli.terminal)
  const { RENOWN_DATA_DIR } = cli.link.config
  const started = performance.now()
  try {
    const { tally, agents, reasons, by_reason, resumed_at_line } = await importSource({
      link,
      source,
      siteId: site_id,
      dataFolder: RENOWN_DATA_DIR,
      now: cli.now,
      isStopping: () => interruption.is,
      onProgress: (tally, agents) =>
        bar.show({ share: shareOf(source), lines: tally.lines, note: noteOf(tally, agents) }),
    })
    await link.post('/flush')
    bar.clear()
    const seconds = Math.round((performance.now() - started) / 10) / 100
    const complete = !interruption.is
    const facts = { site_id, source: source.name, ...tally, agents, resumed_at_line, seconds, complete }
    if (cli.json()) printAnswer(cli.terminal, true, { ...facts, reasons, by_reason })
    else sayResult(cli, facts, reasons, by_reason)
    if (!complete) cli.exit(exitCodes.interrupted)
    else if (tally.lines > 0 && tally.rejected === tally.lines) cli.exit(exitCodes.failed)
  } finally {
    bar.clear()
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt)
  }
}

const shareOf = ({ size, position }: Source) => (size ? Math.min(1, position() / size) : null)

/** Describes the most frequent agents, then the ignored and rejected lines. */
function noteOf({ ignored, rejected }: ImportTally, agents: Agents): string {
  const seen = byCount(agents)
    .slice(0, 3)
    .map(([agent, count]) => `${agent} ${say(count)}`)
  const bad = rejected > 0 ? [`unreadable ${say(rejected)}`] : []
  return [...seen, `not AI ${say(ignored)}`, ...bad].join(' · ')
}

const byCount = (agents: Agents) => Object.entries(agents).sort(([, one], [, other]) => other - one)

interface Facts extends ImportTally {
  readonly source: string
  readonly agents: Agents
  readonly resumed_at_line: number | null
  readonly seconds: number
  readonly complete: boolean
}

function sayResult(
  { terminal }: Cli,
  facts: Facts,
  reasons: readonly BatchReason[],
  byReason: readonly ReasonCount[],
): void {
  const pace = Math.round(facts.lines / Math.max(facts.seconds, 0.001))
  if (facts.complete && facts.lines === 0 && facts.resumed_at_line !== null) {
    terminal.out(
      `Nothing new: all ${say(facts.resumed_at_line)} lines of ${facts.source} were imported before.\n`,
    )
    return
  }
  const because = (wanted: ReasonCount['outcome']) =>
    byReason
      .filter(({ outcome }) => outcome === wanted)
      .map(({ reason, lines }) => `    ${say(lines)}  ${reason}`)
  const width = Math.max(0, ...Object.values(facts.agents).map((count) => say(count).length))
  const lines = [
    facts.complete
      ? `Imported ${facts.source}.`
      : `Interrupted. Run it again to continue with ${facts.source}.`,
    facts.resumed_at_line === null
      ? ''
      : `  continued after line ${say(facts.resumed_at_line)} of an earlier run`,
    `  ${say(facts.lines)} lines in ${facts.seconds} s (${say(pace)}/s)`,
    `  ${say(facts.accepted)} counted`,
    ...byCount(facts.agents).map(([agent, count]) => `    ${say(count).padStart(width)}  ${agent}`),
    `  ${say(facts.ignored)} ignored`,
    ...because('ignored'),
    facts.duplicate > 0 ? `  ${say(facts.duplicate)} counted before` : '',
    facts.rejected > 0 ? `  ${say(facts.rejected)} rejected` : '',
    ...because('rejected'),
    ...because('unchecked').map((line) => line.replace('    ', '  counted as unchecked: ')),
    ...reasons.slice(0, 5).map(({ line, reason }) => `    line ${say(line)}: ${reason}`),
  ]
  terminal.out(`${lines.filter(Boolean).join('\n')}\n`)
}

const say = (count: number) => count.toLocaleString('en')
