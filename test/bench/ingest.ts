import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { token } from '../ingest/support/ingest'
import { cpuOf, median } from '../support/cpu'
import { firstLine } from '../support/first-line'

const rounds = 5
const seconds = 2

interface Round {
  readonly perSecond: number
  readonly cpuMicros: number
}

/**
 * Hits of `/v1/hits`, one a request and 1,000 a request, each answered after its sync to the disk, beside a bare
 * `Bun.serve` that parses the same bodies. Both servers are measured in turns of one run.
 */
export async function run(): Promise<void> {
  const bare = await start('bare')
  const ingest = await start('ingest')
  for (const [what, hits, connections] of [
    ['single', 1, 256],
    ['batch', 1_000, 8],
  ] as const) {
    const measured = { bare: [] as Round[], ingest: [] as Round[] }
    for (let round = 0; round <= rounds; round++) {
      const ofBare = await load(bare, hits === 1 ? '/single' : '/batch', hits, connections)
      const ofIngest = await load(ingest, '/v1/hits', hits, connections)
      // The first is for warming up.
      if (round > 0) {
        measured.bare.push(ofBare)
        measured.ingest.push(ofIngest)
      }
    }
    report(what, measured)
  }
  console.log(`most resident memory: bare ${mostResident(bare)} MB, ingest ${mostResident(ingest)} MB`)
  for (const server of [bare, ingest]) server.stop()
}

function mostResident({ pid }: Server): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024)
}

function report(what: string, measured: { bare: Round[]; ingest: Round[] }) {
  const of = (rounds: Round[], key: keyof Round) => median(rounds.map((round) => round[key]))
  const [bareRate, rate] = [of(measured.bare, 'perSecond'), of(measured.ingest, 'perSecond')]
  const [bareCpu, cpu] = [of(measured.bare, 'cpuMicros'), of(measured.ingest, 'cpuMicros')]
  console.log(
    `${what}: bare ${Math.round(bareRate)} hits/s, ${bareCpu.toFixed(2)} µs CPU a hit; ` +
      `ingest ${Math.round(rate)} hits/s, ${cpu.toFixed(2)} µs CPU a hit; ` +
      `ratio ${((100 * rate) / bareRate).toFixed(0)} % of the hits/s, ${((100 * bareCpu) / cpu).toFixed(0)} % by CPU`,
  )
}

interface Server {
  readonly port: number
  readonly pid: number
  stop(): void
}

/** Pinned to one core where that can be done, so that the load does not share it. */
async function start(kind: string): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'renown-bench-'))
  const pinned = Bun.which('taskset') ? ['taskset', '-c', '0'] : []
  const child = Bun.spawn(
    [...pinned, process.execPath, join(import.meta.dir, 'ingest-server.ts'), kind, folder],
    { stdout: 'pipe', stderr: 'inherit' },
  )
  const said = await firstLine(child.stdout)
  return {
    port: Number(said),
    pid: child.pid,
    stop() {
      child.kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

let serial = 0

/** A request that was never sent before, about 330 bytes a hit as forwarders send them. */
function nextRequest(path: string, hits: number): Buffer {
  const lines = []
  for (let n = 0; n < hits; n++) lines.push(line(serial++))
  const body = lines.join('\n')
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  )
}

const startedAt = Date.now()
const line = (n: number) =>
  `{"ts":${startedAt},"ip":"20.42.10.${n % 256}","method":"GET","path":"/articles/${n % 5000}","status":200,` +
  `"ua":"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)",` +
  `"referer":"","id":"${n.toString(16).padStart(32, '0')}"}`

/** Keeps every connection busy with one request at a time. */
async function load(server: Server, path: string, hits: number, connections: number): Promise<Round> {
  const prepared = [...Array(hits === 1 ? 0 : 60).keys()].map(() => nextRequest(path, hits))
  const request = () => prepared.pop() ?? nextRequest(path, hits)
  const until = performance.now() + seconds * 1000
  const before = cpuOf(server.pid)
  const began = performance.now()
  let done = 0
  await Promise.all(
    [...Array(connections).keys()].map(() =>
      keepBusy(server.port, request, () => {
        done++
        return performance.now() < until
      }),
    ),
  )
  const spent = performance.now() - began
  return { perSecond: (1000 * done * hits) / spent, cpuMicros: (cpuOf(server.pid) - before) / (done * hits) }
}

function keepBusy(port: number, request: () => Buffer, goesOn: () => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    let rest = Buffer.alloc(0)
    const write = (socket: { write(bytes: Uint8Array): number }, bytes: Uint8Array) => {
      rest = Buffer.from(bytes.subarray(socket.write(bytes)))
    }
    Bun.connect({
      hostname: '127.0.0.1',
      port,
      socket: {
        open: (socket) => write(socket, request()),
        drain: (socket) => {
          if (rest.length > 0) write(socket, rest)
        },
        data(socket, chunk) {
          // The answers are far smaller than a packet.
          const status = chunk.toString('latin1', 9, 12)
          if (!status.startsWith('2')) return reject(new Error(chunk.toString('latin1')))
          if (goesOn()) return write(socket, request())
          socket.end()
          resolve()
        },
        error: (_, error) => reject(error),
      },
    }).catch(reject)
  })
}
