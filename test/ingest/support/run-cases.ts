import type { IngestSite, ReasonCount } from 'renown/contracts'
import { createVerifier } from '../../../ingest/judge/verify'
import { parsePrefix } from '../../../ingest/parse/address'
import { sha256 } from '../../../ingest/sites/sites'
import { site, withIngest } from './ingest'
import { inTemporaryFolder, readJournal } from './journal'

/** A row that a day must hold for a path. `*any` stands for whatever path was read. */
export interface ExpectedRow {
  readonly path: string
  readonly hits: number
  readonly verdict: string
}

/** A body that a sender may send, with what must be counted. */
export interface LineCase {
  readonly format: string
  readonly note: string
  /** Default `/v1/logs`. */
  readonly to?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly agent: string
  /** The day in UTC. */
  readonly date: string
  /** `ignore`: no page view, and said so. `reject`: refused with a reason. */
  readonly expected: readonly ExpectedRow[] | 'ignore' | 'reject'
  readonly text?: string
  readonly body_base64?: string
  /** Part of a reason that must be said as well. */
  readonly reason?: string
}

/** Wrong and said so is `refused`. Wrong without a word is `silent`. */
export type Outcome = 'right' | 'refused' | 'silent'

/** What became of a case. */
export interface CaseResult {
  readonly outcome: Outcome
  readonly rows: readonly ExpectedRow[]
  readonly reasons: readonly string[]
}

/** When the bodies arrive. */
const arrivesAt = Date.parse('2026-11-28T12:00:00Z')
const noAgent = 'no known AI agent'

const verifier = createVerifier([
  {
    operator: 'OpenAI',
    prefixes: ['4.227.36.0/25', '2a01:111::/32'].map(parsePrefix).filter((one) => one !== null),
    freshUntil: Number.POSITIVE_INFINITY,
  },
])

/** Sends each case to a site of its own, and reads what the journal then holds. */
export const runCases = (cases: readonly LineCase[]): Promise<CaseResult[]> =>
  inTemporaryFolder(async (directory) => {
    const sites = cases.map(
      (_, at): IngestSite => ({
        ...site,
        site_id: `case_${at}`,
        site_key: `key_${at}`,
        forwarder_token_hash: sha256(tokenOf(at)),
        domain: 'shop3.example',
        timezone: 'UTC',
      }),
    )
    const reasons: (readonly ReasonCount[])[] = []
    await withIngest(
      async ({ send, ingest }) => {
        for (const [at, one] of cases.entries()) {
          const body = one.text ?? Buffer.from(one.body_base64 ?? '', 'base64')
          await send(one.to ?? '/v1/logs', body, {
            ...one.headers,
            authorization: `Bearer ${tokenOf(at)}`,
          })
          reasons.push((await ingest.signals(`case_${at}`)).lines.by_reason)
        }
      },
      {
        directory,
        sites: { sites },
        now: () => new Date(arrivesAt),
        ranges: {
          start: async () => {},
          stop() {},
          use() {},
          status: () => [],
          refresh: async () => [],
          isInDoubt: () => false,
          verdict: (agent, ip, ts) => verifier.verdict(agent, ip, ts, arrivesAt),
        },
      },
    )
    const { hits } = await readJournal(directory, ['.seg', '.open'])
    return cases.map((one, at) => {
      const rows = new Map<string, ExpectedRow>()
      for (const hit of hits) {
        if (hit.site_id !== `case_${at}`) continue
        const isWanted = hit.agent === one.agent && hit.date === one.date
        const path = isWanted ? hit.path : `${hit.path} (${hit.agent} on ${hit.date})`
        const key = `${path} ${hit.verdict}`
        rows.set(key, { path, hits: (rows.get(key)?.hits ?? 0) + 1, verdict: hit.verdict })
      }
      return resultOf(one, [...rows.values()], reasons[at] ?? [])
    })
  })

const tokenOf = (at: number) => `rnw_fwd_case-${at}`

function resultOf(
  { expected, reason }: LineCase,
  rows: readonly ExpectedRow[],
  said: readonly ReasonCount[],
): CaseResult {
  const reasons = said.map((one) => `${one.outcome}: ${one.reason}`)
  const isSaid = reason === undefined || reasons.some((one) => one.includes(reason))
  const isRight = isSaid && fits(expected, rows, said)
  const isTold = said.some((one) => one.outcome !== 'ignored' || one.reason !== noAgent)
  return { outcome: isRight ? 'right' : isTold ? 'refused' : 'silent', rows, reasons }
}

function fits(
  expected: LineCase['expected'],
  rows: readonly ExpectedRow[],
  said: readonly ReasonCount[],
): boolean {
  const has = (outcome: ReasonCount['outcome']) => said.some((one) => one.outcome === outcome)
  if (expected === 'reject') return rows.length === 0 && has('rejected')
  if (expected === 'ignore') return rows.length === 0 && has('ignored') && !has('rejected')
  const keys = (all: readonly ExpectedRow[], isAny: boolean) =>
    all.map(({ path, hits, verdict }) => `${isAny ? '*any' : path} ${hits} ${verdict}`).sort()
  const isAny = expected.some(({ path }) => path === '*any')
  return Bun.deepEquals(keys(expected, isAny), keys(rows, isAny))
}
