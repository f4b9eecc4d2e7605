import createClient from 'openapi-fetch'
import type { components, paths } from './api'

export interface Target {
  readonly url: string
  readonly key: string
  readonly workspace: string
}

type Lead = components['schemas']['Lead']

/**
 * What an author of a client does with the types made from /openapi.json: lists with a filter, pages, single records,
 * refusals, a call that reads and one that marks. Compiled and run where the types have just been made.
 */
export async function journey({ url, key, workspace }: Target) {
  const client = createClient<paths>({ baseUrl: url, headers: { Authorization: `Bearer ${key}` } })

  const surface = await client.GET('/api/surface')
  const offered: string[] = surface.data?.entities.map(({ name }) => name) ?? []

  const leads: Lead[] = []
  let cursor: string | undefined
  do {
    const query = {
      q: JSON.stringify({ stage: 'new' }),
      sort: 'intent_score',
      limit: 2,
      ...(cursor ? { cursor } : {}),
    }
    const page = await client.GET('/api/entities/Lead', { params: { query } })
    if (page.error) throw new Error(page.error.code)
    leads.push(...page.data)
    cursor = page.response.headers.get('x-next-cursor') ?? undefined
  } while (cursor)
  const scores: (number | null | undefined)[] = leads.map((lead) => lead.intent_score)

  const id = leads[0]?.id ?? ''
  const one = await client.GET('/api/entities/Lead/{id}', { params: { path: { id } } })
  const stage: 'new' | 'contacted' | 'qualified' | 'won' | 'lost' | undefined = one.data?.stage

  const missing = await client.GET('/api/entities/Lead/{id}', { params: { path: { id: 'led_none' } } })
  const wrong = await client.GET('/api/entities/Lead', { params: { query: { limit: 0 } } })
  const fault: string | undefined = wrong.error?.errors?.[0]?.parameter
  const foreign = await client.GET('/api/entities/Lead', {
    params: { header: { 'X-Workspace-Id': workspace } },
  })
  const stranger = await client.GET('/api/entities/Lead', { headers: { Authorization: null } })

  const joined = await client.POST('/api/functions/listLeadsWithMentions', {
    body: { stage: 'new', limit: 1 },
  })
  const total: number | undefined = joined.data?.total

  const body = { lead_ids: leads.map((lead) => lead.id) }
  const header = { 'Idempotency-Key': 'journey-1' }
  const rehearsed = await client.POST('/api/functions/markLeadsSeen', { body: { ...body, dry_run: true } })
  const marked = await client.POST('/api/functions/markLeadsSeen', { body, params: { header } })
  const again = await client.POST('/api/functions/markLeadsSeen', { body, params: { header } })

  return {
    offered,
    scores,
    stage,
    codes: [missing, wrong, foreign, stranger].map(({ error }) => error?.code),
    fault,
    total,
    updated: [rehearsed, marked, again].map(({ data }) => data?.updated),
    replayed: again.response.headers.get('idempotent-replayed'),
  }
}
