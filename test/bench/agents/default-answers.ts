import { compileTable } from '../../../core/mcp/table'
import { shippedRegistry } from '../../support/shipped'
import type { openDemo } from './demo-world'
import type { PlannedCall } from './question'
import { tokensOf } from './run-plans'

/** An answer to a call with nothing but what the tool requires. */
export interface DefaultAnswer {
  /** The tool, and the record type if it takes one. */
  readonly of: string
  readonly tokens: number
  readonly text: string
}

/** What tools require. The other read tools are called without arguments. */
const required: Readonly<Record<string, PlannedCall['args']>> = {
  aggregateRecords: { entity: 'Review', group_by: ['source'] },
  countRecords: { entity: 'Review' },
  explainReviewCount: { location_id: 'Harbour Bakehouse' },
  getPageJourney: { path: '/' },
  getPromptPerformance: { tracker_id: 'Harbour Bakehouse' },
  getShareOfVoice: { tracker_id: 'Harbour Bakehouse' },
  reconcileVisibility: { rulers: ['visibility.mention_rate@2', 'peec.visibility@1'] },
}
/** They read one record, which is as long as it is. */
const ofOneRecord = new Set(['get_record', 'getAnswer', 'getReportMarkdown'])

/** Calls every tool that reads with as few arguments as it accepts, lists of every record type among them. */
export async function defaultAnswers({
  callTool,
}: Pick<Awaited<ReturnType<typeof openDemo>>, 'callTool'>): Promise<DefaultAnswer[]> {
  const found: DefaultAnswer[] = []
  for (const { tool, args } of defaultCalls()) {
    const { content, isError } = await callTool(tool, args)
    const text = content[0]?.text ?? ''
    if (isError) throw new Error(`${tool}: ${text}`)
    const of = typeof args.entity === 'string' ? `${tool} ${args.entity}` : tool
    found.push({ of, tokens: tokensOf(text), text })
  }
  return found.sort((a, b) => b.tokens - a.tokens)
}

function defaultCalls(): PlannedCall[] {
  const registry = shippedRegistry()
  const reads = [...compileTable(registry).tools.values()].filter(
    ({ writes, listing }) => !writes && !ofOneRecord.has(listing.name),
  )
  const entities = [...registry.entities.values()]
    .filter((entity) => entity.reads.includes('list'))
    .map(({ name }) => name)
  return reads.flatMap(({ listing: { name } }): PlannedCall[] => {
    const each = entities.map((entity) => ({ tool: name, args: { entity } }))
    if (name === 'list_records') return each
    const plain = { tool: name, args: required[name] ?? {} }
    return name === 'describe_records' ? [plain, ...each] : [plain]
  })
}
