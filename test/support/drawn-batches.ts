const agents = ['GPTBot', 'ClaudeBot', 'CCBot', 'PerplexityBot']
const dayMs = 86_400_000

/** A batch of each kind that can be told from its repeat: by a key, by its body, by its records' ids, and a hit alone. */
export function drawBatch(name: string) {
  const kind = Math.floor(Math.random() * 4)
  const size = kind === 3 ? 1 : 1 + Math.floor(Math.random() * 30)
  const hits = Array.from({ length: size }, (_, n) => ({
    ts: new Date(Date.now() - Math.floor(Math.random() * 3) * dayMs).toISOString(),
    ip: null,
    method: 'GET',
    path: `/${name}/${n}`,
    ua: `Mozilla/5.0 (compatible; ${agents[Math.floor(Math.random() * agents.length)]}/1.0)`,
    ...(kind === 2 && { id: `${name}-${n}` }),
  }))
  const headers: Record<string, string> = kind === 0 ? { 'idempotency-key': name } : {}
  return { hits, headers }
}

export type DrawnHit = ReturnType<typeof drawBatch>['hits'][number]

/** What daily rows are to say, by day and agent. */
export function countByHand(hits: readonly DrawnHit[]) {
  const days: Record<string, Record<string, number>> = {}
  for (const { ts, ua } of hits) {
    const agent = /compatible; (\w+)/.exec(ua)?.[1] ?? ''
    const date = ts.slice(0, 10)
    days[date] = { ...days[date], [agent]: (days[date]?.[agent] ?? 0) + 1 }
  }
  return days
}

/** The daily rows that a product answers, in the same shape. */
export async function dailyRows(apiUrl: string, agentKey: string) {
  const asked = await fetch(`${apiUrl}/api/entities/AiTrafficDaily`, {
    headers: { authorization: `Bearer ${agentKey}` },
  })
  const rows = (await asked.json()) as { date: string; by_agent: Record<string, { hits: number }> }[]
  return Object.fromEntries(
    rows.map(({ date, by_agent }) => [
      date,
      Object.fromEntries(Object.entries(by_agent).map(([agent, { hits }]) => [agent, hits])),
    ]),
  )
}
