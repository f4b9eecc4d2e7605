import { type TestIngest, withIngest } from './ingest'
import { inTemporaryFolder } from './journal'

interface Posted {
  readonly status: number
  readonly answer: Record<string, unknown>
}

type Failure = '503' | '301' | 'after'

/** An ingest on a port, and what it answered. */
export interface OpenIngest extends TestIngest {
  readonly url: string
  readonly folder: string
  readonly posted: Posted[]
  /** How the next answers fail: refused, redirected, or lost after the batch was taken. */
  readonly fail: Failure[]
  /** What the answers of 200 say of one outcome, together. */
  total(name: string): number
}

/** The ingest on a port, with the clock of the machine: real programs write real times. */
export function withOpenIngest(work: (tested: OpenIngest) => Promise<void>, end?: () => Promise<void>) {
  return inTemporaryFolder((folder) =>
    withIngest(
      async (tested) => {
        const posted: Posted[] = []
        const fail: Failure[] = []
        const server = Bun.serve({
          hostname: '127.0.0.1',
          port: 0,
          async fetch(request) {
            const failure = fail.shift()
            if (failure === '503') return new Response('', { status: 503, headers: { 'retry-after': '1' } })
            if (failure === '301') return Response.redirect('http://127.0.0.1:9/', 301)
            const response = await tested.ingest.fetch(request, () => '127.0.0.1')
            const { status } = response
            posted.push({ status, answer: (await response.clone().json()) as Record<string, unknown> })
            return failure === 'after' ? new Response('', { status: 500 }) : response
          },
        })
        const total = (name: string) =>
          posted.reduce((sum, { status, answer }) => sum + (status === 200 ? Number(answer[name]) : 0), 0)
        try {
          await work({ ...tested, fail, url: `http://127.0.0.1:${server.port}`, posted, folder, total })
        } finally {
          await end?.()
          await server.stop(true)
        }
      },
      { now: () => new Date() },
    ),
  )
}
