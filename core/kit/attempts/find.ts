import { blameOf, faultInfo } from '../../contracts/service-fault'
import type { CallRoute, OnceAct, OpenCall } from './act'
import type { Attempt } from './attempt'
import { judgeShown, type ShownProof, type ShownResult } from './proof'

/** An opened way to a service. */
export interface OpenedRoute<R extends Attempt> extends Pick<CallRoute<R>, 'rule' | 'expects'> {
  readonly session: OpenCall<R>
}

/** A result that shows what was sent. */
export interface OwnResult {
  readonly shown: ShownResult
  readonly proof: Exclude<ShownProof, { readonly is: 'incomplete' | 'other' }>
  /** Whether a list shows it, and not only the answer about its id. */
  readonly isListed: boolean
}

/** What the service shows of an attempt now. */
export interface FoundResults {
  /** The results that show what was sent, those that everybody sees first, and the earliest first. More than one is a duplicate. */
  readonly own: readonly OwnResult[]
  /** Set if the service says that the result with the known id does not exist. */
  readonly isGone: boolean
  /** What the known id shows instead. Absent if it shows what was sent. */
  readonly instead?: { readonly why: string; readonly shown: ShownResult }
  /** Why a missing result proves nothing. Absent if the service was read completely. */
  readonly why?: string
}

/** Opens the way to a service for a look, or returns why that does not work. */
export async function openRoute<R extends Attempt>(
  act: OnceAct<R>,
): Promise<OpenedRoute<R> | { readonly why: string }> {
  const route = await act.route()
  if ('why' in route) return route
  try {
    return { rule: route.rule, expects: route.expects, session: await route.open() }
  } catch (error) {
    // A look that an own store prevented does not count as a look.
    if (blameOf(error) === 'own_store') throw error
    return { why: faultInfo(error).message }
  }
}

/** Reads the result by its id, if one is known, and the list of the service. Throws nothing. */
export async function findResults<R extends Attempt>(
  { rule, expects, session }: OpenedRoute<R>,
  row: R,
): Promise<FoundResults> {
  const expected = await expects(row)
  const own = new Map<string, OwnResult>()
  const whys: string[] = []
  const found: { isGone: boolean; instead?: FoundResults['instead'] } = { isGone: false }
  const judge = (shown: ShownResult, isListed: boolean): ShownProof => {
    const proof = judgeShown(rule, expected, shown)
    if (proof.is === 'incomplete' && shown.text !== undefined) whys.push(proof.why)
    if (proof.is === 'incomplete' || proof.is === 'other') return proof
    const known = own.get(shown.external_id)
    own.set(shown.external_id, { shown, proof, isListed: isListed || known?.isListed === true })
    return proof
  }
  await trying(whys, async () => {
    if (session.read === undefined || row.external_id === undefined) return
    const shown = await session.read(row, row.external_id)
    if (shown === null) {
      found.isGone = true
      return
    }
    const proof = judge(shown, false)
    if (proof.is === 'other') found.instead = { why: proof.why, shown }
    if (proof.is === 'incomplete' && shown.text === undefined) whys.push(proof.why)
  })
  await trying(whys, async () => {
    const looked = await session.look?.(row)
    for (const shown of looked?.shown ?? []) judge(shown, true)
    if (looked?.isWhole === false) whys.push('The list does not reach back to the attempt.')
  })
  const [why] = whys
  const timeOf = ({ shown }: OwnResult) => Date.parse(shown.created_at ?? '') || 0
  const rank = ({ proof }: OwnResult) => ['published', 'held', 'rejected'].indexOf(proof.is)
  return {
    own: [...own.values()].toSorted((a, b) => rank(a) - rank(b) || timeOf(a) - timeOf(b)),
    isGone: found.isGone,
    ...(found.instead === undefined ? {} : { instead: found.instead }),
    ...(why === undefined ? {} : { why }),
  }
}

async function trying(whys: string[], work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    whys.push(faultInfo(error).message)
  }
}
