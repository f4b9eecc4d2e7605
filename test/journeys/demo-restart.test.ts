import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { demoCounts } from '../../core/demo/contents'
import { splitAddress } from '../../core/kit/page-addresses'
import { signIn } from '../support/person'
import { startProduct } from '../support/product'
import { waitFor } from '../support/wait-for'

test('a demo that a page creates is complete also where the product is killed in the middle', async () => {
  await using first = await startProduct()
  const { visitor } = await signIn(first)
  const counted = (table: string) => {
    const file = new Database(join(first.dataDir, 'documents.sqlite'), { readonly: true })
    try {
      return file.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${table}`).get()?.n ?? 0
    } finally {
      file.close()
    }
  }
  await visitor.open('/app/start')
  const asked = await visitor.submit('/app/demo')
  expect([asked.path, asked.status]).toEqual(['/app/demo', 200])
  await waitFor(() => counted('Review') > 0, { what: 'some reviews of the demo', timeoutMs: 30_000 })
  await first.kill()
  expect(counted('Review')).toBeGreaterThan(0)

  await using again = await startProduct({
    dataDir: first.dataDir,
    env: { PORT: new URL(first.facts.api_url).port },
  })
  const page = await waitFor(
    async () => {
      const { path, text } = await visitor.open('/app/demo')
      return splitAddress(path).path === '/app' ? text : null
    },
    { what: 'the demo to open', timeoutMs: 60_000 },
  )
  expect(page).toContain('This is a demo.')
  expect(['Review', 'Mention', 'Lead', 'Report'].map(counted)).toEqual([
    demoCounts.Review,
    demoCounts.Mention,
    demoCounts.Lead,
    demoCounts.Report,
  ])
  const status = JSON.parse((await again.renown('demo', 'show', '--json')).stdout)
  expect(status.state).toBe('loaded')
}, 150_000)
