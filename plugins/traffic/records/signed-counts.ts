/** Hits of one agent whose signature decided their verdict. */
export interface SignedCount {
  readonly agent: string
  /** The host of the signer. */
  readonly signer: string
  /** What verified the hits. `false`: the signature was false, so they are spoofed. */
  readonly by: 'signature' | 'both' | 'false'
  readonly hits: number
}

/** Returns a row of the kind `signed`. Its `operator` names what verified the hits, and the signer. */
export function signedCount(agent: string, operator: string, hits: number): SignedCount {
  const space = operator.indexOf(' ')
  return { agent, signer: operator.slice(space + 1), by: operator.slice(0, space) as SignedCount['by'], hits }
}

/** Returns the fields of a daily row about signatures. Without signed hits, only the number 0. */
export function signedFields(signed: readonly SignedCount[], verified: number) {
  const of = (by: SignedCount['by']) => hitsOf(signed.filter((one) => one.by === by))
  const signature = of('signature')
  const both = of('both')
  const signed_hits = signature + both
  if (signed.length === 0) return { signed_hits, verified_by: undefined, by_signer: undefined }
  return {
    signed_hits,
    verified_by: { address: verified - signed_hits, signature, both },
    by_signer: bySigner(signed),
  }
}

/** Returns the hits of an agent with a valid signature. */
export const signedHitsOf = (signed: readonly SignedCount[], agent: string): number =>
  hitsOf(signed.filter((one) => one.agent === agent && one.by !== 'false'))

function bySigner(signed: readonly SignedCount[]): Record<string, { verified: number; spoofed: number }> {
  const signers = [...Map.groupBy(signed, ({ signer }) => signer)].map(([signer, counts]) => {
    const spoofed = hitsOf(counts.filter(({ by }) => by === 'false'))
    return [signer, { verified: hitsOf(counts) - spoofed, spoofed }] as const
  })
  return Object.fromEntries(
    signers.toSorted(([a, one], [b, two]) => two.verified - one.verified || (a < b ? -1 : 1)),
  )
}

const hitsOf = (counts: readonly SignedCount[]) => counts.reduce((sum, { hits }) => sum + hits, 0)
