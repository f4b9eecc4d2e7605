import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { token } from '../ingest/support/ingest'
import { firstLine } from '../support/first-line'

const seconds = 4
const lines = 500

/**
 * A server that may take half of what it could: what eight senders at full speed get through, against that bound, and
 * whether each refusal says when to come again.
 */
export async function run(): Promise<void> {
  const peak = await offered('100000000')
  console.log(`without a bound: ${perSecond(peak.accepted)} lines/s accepted`)
  const bound = Math.round(peak.accepted / seconds / 2)
  const half = await offered(String(bound))
  // The bucket's burst is a second's worth and goes first.
  const kept = half.accepted / (bound * (seconds + 1))
  console.log(
    `at twice a bound of ${bound.toLocaleString('en')}: ${(100 * kept).toFixed(0)} % of it accepted (goal: 95 %), ` +
      `${half.refused} refusals, ${half.unsaid} of them without Retry-After or neither 429 nor 503`,
  )
}

const perSecond = (n: number) => Math.round(n / seconds).toLocaleString('en')

async function offered(linesPerSecond: string) {
  const folder = mkdtempSync(join(tmpdir(), 'renown-bench-'))
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'ingest-server.ts'), 'ingest', folder], {
    env: { ...process.env, LINES_PER_SECOND: linesPerSecond },
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const url = `http://127.0.0.1:${await firstLine(child.stdout)}/v1/hits`
  const told = { accepted: 0, refused: 0, unsaid: 0 }
  await sendFor(1_000, url, { ...told })
  await Bun.sleep(1_500)
  await sendFor(seconds * 1_000, url, told)
  child.kill()
  await child.exited
  rmSync(folder, { recursive: true, force: true })
  return told
}

async function sendFor(ms: number, url: string, told: { accepted: number; refused: number; unsaid: number }) {
  const until = performance.now() + ms
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      while (performance.now() < until) {
        const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
        const response = await fetch(url, { method: 'POST', headers, body: nextBody() })
        const answer = (await response.json()) as { accepted?: number }
        if (response.ok) told.accepted += answer.accepted ?? 0
        else {
          told.refused++
          const isSaid =
            [429, 503].includes(response.status) && Number(response.headers.get('retry-after')) >= 1
          if (!isSaid) told.unsaid++
          // Far less than it was told to wait: more is offered than may come, all the time.
          await Bun.sleep(20)
        }
      }
    }),
  )
}

let serial = 0
const nextBody = () =>
  Array.from({ length: lines }, () => {
    const n = serial++
    return `{"ts":${startedAt},"ip":"20.42.10.${n % 256}","method":"GET","path":"/articles/${n % 5000}","ua":"GPTBot/1.2","id":"${n}"}`
  }).join('\n')
const startedAt = Date.now()
