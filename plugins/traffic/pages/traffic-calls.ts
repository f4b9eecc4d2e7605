import type { TrafficData } from './traffic-data'

/** The query of the page as a call, for agents and programs. */
export interface Call {
  /** The tool's name over MCP, which is also the operation's name over REST. */
  readonly operation: string
  readonly input: Readonly<Record<string, unknown>>
  /** A sentence about what the answer has and the page does not. */
  readonly note?: string
}

type Asking = Pick<TrafficData, 'asked' | 'period' | 'site'>

/** Returns the call that answers what the page shows. */
export function callOf({ asked, period, site }: Asking): Call {
  const input = {
    date_from: period.date_from,
    date_to: period.date_to,
    ...(site ? { site_id: site.id } : {}),
  }
  const ofPages = asked.page !== null || asked.list === 'pages'
  if (ofPages)
    return {
      operation: 'getTopCrawledPages',
      input: { ...input, ...(asked.category === null ? {} : { category: asked.category }), limit: 100 },
      ...(asked.page === null
        ? {}
        : { note: 'The answer lists the 100 most fetched pages, not only this one.' }),
    }
  if (asked.list === 'landing')
    return {
      operation: 'list_records',
      input: {
        entity: 'AiTrafficDaily',
        q: {
          date: { $gte: period.date_from, $lte: period.date_to },
          ...(site ? { site_id: site.id } : {}),
        },
        fields: ['site_id', 'date', 'referral_paths'],
        limit: 1_000,
      },
      note: 'The answer has the landing pages of each day. Add them up.',
    }
  const isNarrowed = asked.operator !== null || asked.agent !== null || asked.category !== null
  return {
    operation: 'getAiTrafficSummary',
    input,
    ...(isNarrowed
      ? { note: 'The answer has all operators, crawlers and purposes, not only those of the filter.' }
      : {}),
  }
}

/** The call over MCP: the tool and its arguments. */
export const mcpCall = ({ operation, input }: Call, workspace_id: string): string =>
  `${operation} ${JSON.stringify({ ...input, workspace_id })}`

/** Returns the call over REST as a shell command. It reads the key from the environment. */
export function restCall({ operation, input }: Call, workspaceId: string, apiUrl: string): string {
  const headers = [`-H "Authorization: Bearer $RENOWN_KEY"`, `-H "X-Workspace-Id: ${workspaceId}"`]
  if (operation !== 'list_records')
    return [
      `curl -X POST ${apiUrl}/api/functions/${operation}`,
      ...headers,
      `-H "Content-Type: application/json"`,
      `-d ${quoted(JSON.stringify(input))}`,
    ].join(' \\\n  ')
  const { entity, q, fields, limit } = input as { entity: string; q: object; fields: string[]; limit: number }
  const query = new URLSearchParams({ q: JSON.stringify(q), fields: fields.join(','), limit: String(limit) })
  return [`curl ${quoted(`${apiUrl}/api/entities/${entity}?${query}`)}`, ...headers].join(' \\\n  ')
}

/** Returns a text as one quoted word of a shell. */
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
