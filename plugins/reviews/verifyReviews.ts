import { defineCommand, field, type OwnerContext } from 'renown'
import * as v from 'valibot'
import { allChains, chainsOf, type NotedChain, readLocation } from './chains'
import { digestOf, replay } from './ledger'
import type { ReviewRow } from './reconcile'
import { storedReviews } from './storedReviews'

const shownMax = 50

/** Proves that the chain of observations is whole, and that the rows are what it says. */
export const verifyReviews = defineCommand({
  name: 'reviews verify',
  summary: 'Prove the chain of what was read of a location, or of all, and that the reviews follow from it',
  input: v.strictObject({
    location_id: v.optional(field.text('Business location; all of them where it is left out')),
    head: v.optional(field.text('A head that was noted earlier: the chain must still hold it')),
  }),
  isBad: ({ sound }) => sound !== true,
  async run(ctx, { location_id, head }) {
    const chains: Awaited<ReturnType<typeof verify>>[] = []
    let isHeld = head === undefined
    const all = location_id === undefined ? allChains(ctx) : await ownChains(ctx, location_id)
    for await (const chain of all) {
      const found = await verify(ctx, chain, head)
      if (found.entries === 0 && found.sound) continue
      isHeld ||= found.holds_head === true
      chains.push(found)
    }
    const sound = isHeld && chains.every((one) => one.sound)
    return { sound, ...(head === undefined ? {} : { holds_head: isHeld }), chains }
  },
})

async function ownChains(ctx: OwnerContext, location_id: string): Promise<NotedChain[]> {
  const { location, listing } = await readLocation(ctx, location_id)
  return chainsOf(location, listing)
}

async function verify(ctx: OwnerContext, chain: NotedChain, head: string | undefined) {
  let isHeld = false
  const onHash = (hash: string) => {
    isHeld ||= hash === head
  }
  const found = await replay(ctx, chain, { head: chain.noted, onHash })
  const strays = found.fault ? [] : strayRows(found, await storedReviews(ctx, chain))
  return {
    ...{ location_id: chain.location_id, source: chain.source, entries: found.entries },
    ...{ standing: found.standing.size, sound: found.fault === null && strays.length === 0 },
    ...(found.fault ? { fault: `entry ${found.fault.seq}: ${found.fault.fault}` } : {}),
    ...(found.unproven.size === 0 ? {} : { removed_without_statement: found.unproven.size }),
    ...(strays.length === 0 ? {} : { strays: strays.slice(0, shownMax), strays_total: strays.length }),
    ...(head === undefined ? {} : { holds_head: isHeld }),
    head: found.head,
  }
}

/** A reply that was sent or found after the last whole reading began stands in the row first: the next one brings it. */
function isTold(row: ReviewRow, digest: string, readAt: string): boolean {
  const { reply_text: _, ...unanswered } = row
  const isUnread = (row.reply_created_at ?? '') > readAt
  return digestOf(row) === digest || (isUnread && digestOf(unanswered) === digest)
}

const isVisible = (row: ReviewRow) => typeof row.removed_at_source_at !== 'string'

/** Reviews that stand by the chain and not by the rows, or otherwise. */
function strayRows(
  { standing, whole }: Pick<Awaited<ReturnType<typeof replay>>, 'standing' | 'whole'>,
  rows: readonly ReviewRow[],
): string[] {
  const readAt = whole?.proof.began_at ?? ''
  const visible = new Map(rows.filter(isVisible).map((row) => [row.source_id, row]))
  const lost = [...standing].flatMap(([id, digest]) => {
    const row = visible.get(id)
    if (!row) return [`${id}: no row`]
    return isTold(row, digest, readAt) ? [] : [`${id}: the row says something else`]
  })
  const strange = [...visible.values()].filter(
    (row) =>
      !standing.has(row.source_id) && (row.source === 'facebook' || row.gbp_api_synced_at !== undefined),
  )
  return [...lost, ...strange.map(({ source_id }) => `${source_id}: never seen`)]
}
