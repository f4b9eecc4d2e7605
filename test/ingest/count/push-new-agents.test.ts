import { expect, test } from 'bun:test'
import { pushNewAgents } from '../../../ingest/count/push-new-agents'
import { waitFor } from '../../support/wait-for'
import { silentLog } from '../support/journal'

test('an ingest elsewhere sends its reports with the secret, and again what was refused', async () => {
  const sent: unknown[] = []
  let status = 503
  const fetch = async (url: string, { headers, body }: RequestInit) => {
    const { authorization } = headers as Record<string, string>
    sent.push([url, authorization, (JSON.parse(String(body)) as { next: number }).next, status])
    const answer = new Response('', { status })
    status = 200
    return answer
  }
  const asked: number[] = []
  const ingest = {
    async newAgents(after: number) {
      asked.push(after)
      const sites = after < 7 ? [{ site_id: 'site_1', floor: 0, gone: [], agents: [] }] : []
      return { instance: 'a'.repeat(16), next: 7, sites }
    },
  }
  const pushing = pushNewAgents(ingest, {
    url: 'https://gateway.example',
    secret: 'shh',
    fetch,
    log: silentLog,
    everyMs: 5,
  })
  await waitFor(() => asked.includes(7), { what: 'the report after the last' })
  pushing.stop()
  const address = 'https://gateway.example/internal/new-agents'
  expect(sent).toEqual([
    [address, 'Bearer shh', 7, 503],
    [address, 'Bearer shh', 7, 200],
  ])
  expect(asked.slice(0, 3)).toEqual([0, 0, 7])
})
