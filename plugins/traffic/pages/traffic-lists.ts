import type { ReadContext } from 'renown'
import { crawlsPerVisit } from '../records/crawlsPerVisit'
import { partOf } from '../sums/list-part'
import { landingLines, rankedPaths, type Shown, withCategories } from '../sums/shownPaths'
import { type Compared, figureOf, keepsVisits, visitsOf } from './comparedTraffic'
import type { AgentLine, AssistantLine, Lists, OperatorLine } from './traffic-data'

/**
 * Reads the lists of the page, as far as the filters allow. If one list is shown in full, reads only that
 * one.
 */
export async function listsOf(ctx: ReadContext, compared: Compared, shown: Shown): Promise<Lists> {
  const { asked } = shown
  const isShown = (list: keyof Lists) => asked.list === null || asked.list === list
  const byAgent = asked.page === null
  return {
    operators:
      isShown('operators') && byAgent
        ? partOf(operatorLines(compared), asked, { list: 'operators', nameOf: ({ operator }) => operator })
        : null,
    pages: isShown('pages') ? await pages(ctx, shown) : null,
    assistants:
      isShown('assistants') && byAgent && keepsVisits(asked)
        ? partOf(assistantLines(compared), asked, { list: 'assistants', nameOf: ({ host }) => host })
        : null,
    landing: isShown('landing') ? await landing(ctx, shown) : null,
    crawlers:
      isShown('crawlers') && byAgent
        ? partOf(agentLines(compared), asked, {
            list: 'crawlers',
            nameOf: ({ agent, operator }) => `${agent} ${operator}`,
          })
        : null,
  }
}

async function pages(ctx: ReadContext, shown: Shown): Promise<Lists['pages']> {
  const all = await rankedPaths(ctx, shown)
  if (all === null) return null
  const part = partOf(all, shown.asked, { list: 'pages', nameOf: ({ path }) => path })
  // A spreadsheet leaves out the main purpose of each page, because it would take too many reads.
  const lines = shown.asked.isWhole
    ? part.lines.map(({ path, hits }) => ({ path, hits, category: null }))
    : await withCategories(ctx, shown, part.lines)
  return { ...part, lines }
}

async function landing(ctx: ReadContext, shown: Shown): Promise<Lists['landing']> {
  const all = await landingLines(ctx, shown)
  return all && partOf(all, shown.asked, { list: 'landing', nameOf: ({ path }) => path })
}

const assistantLines = (compared: Compared): AssistantLine[] =>
  [...compared.now.hosts.keys()]
    .map((host) => ({
      host,
      operator: compared.now.known.operatorOf(host),
      ...visitsOf(compared, ({ hosts }) => hosts.get(host) ?? 0),
    }))
    .sort((a, b) => b.now - a.now || (a.host < b.host ? -1 : 1))

const operatorLines = (compared: Compared): OperatorLine[] =>
  [...compared.now.operators]
    .map(([operator, { verified, spoofed, visits }]) => ({
      operator,
      crawled: figureOf(compared, ({ operators }) => {
        const line = operators.get(operator)
        return line ? line.hits - line.spoofed : 0
      }),
      verified,
      spoofed,
      sent: visitsOf(compared, ({ operators }) => operators.get(operator)?.visits ?? 0),
      crawls_per_visit: crawlsPerVisit.of(verified, visits),
      has_assistant: compared.now.known.hasAssistant(operator),
    }))
    .sort(
      (a, b) =>
        b.crawled.now - a.crawled.now || b.sent.now - a.sent.now || (a.operator < b.operator ? -1 : 1),
    )

const agentLines = (compared: Compared): AgentLine[] =>
  [...compared.now.agents]
    .map(([agent, { operator, category, hits, verified, spoofed, signed }]) => ({
      agent,
      operator,
      category,
      verified,
      spoofed,
      signed,
      unchecked: hits - verified - spoofed,
      hits: figureOf(compared, ({ agents }) => agents.get(agent)?.hits ?? 0),
    }))
    .sort((a, b) => b.hits.now - a.hits.now || (a.agent < b.agent ? -1 : 1))
