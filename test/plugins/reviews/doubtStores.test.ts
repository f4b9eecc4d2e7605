import { expect, test } from 'bun:test'
import { withCore } from '../../../core/product/core-plugins'
import { BusinessLocation } from '../../../core/tenancy/BusinessLocation'
import { platforms } from '../../../plugins'
import enrichment from '../../../plugins/enrichment'
import leads from '../../../plugins/leads'
import posts from '../../../plugins/posts'
import reviews from '../../../plugins/reviews'
import { doubtedLocations } from '../../../plugins/reviews/evidence/doubted'
import { hasLossElsewhere } from '../../../plugins/reviews/evidence/losses'
import { ReviewListing } from '../../../plugins/reviews/records/ReviewListing'
import visibility from '../../../plugins/visibility'
import { startGate } from '../../support/harness'
import { describeGateStores } from '../../support/mongo'

const plugins = [enrichment, leads, posts, reviews, visibility, ...platforms]

describeGateStores('on %s', (_, open) => {
  test('doubts and losses are found by their fields', async () => {
    const documents = await open()
    const gate = await startGate({ plugins: withCore(plugins), ...(documents ? { documents } : {}) })
    const { owner, clock } = gate
    const rest = { business_name: 'Acme', is_active: true, is_prospect: false, auto_response_enabled: false }
    const sure = await gate.put(BusinessLocation, rest)
    const doubted = await gate.put(BusinessLocation, rest)
    const at = clock.now().toISOString()
    const in_doubt = { since: at, about: 'replies', why: 'One is missing.' }
    await owner.rows(BusinessLocation).update(doubted.id, { in_doubt })
    const lost = { replies_lost_at: at, replies_lost_from: 'google' }
    await gate.put(ReviewListing, { location_id: doubted.id, ...lost })
    expect((await doubtedLocations(owner, 5)).map(({ id }) => id)).toEqual([doubted.id])
    const isLost = async (source: string, id: string) => hasLossElsewhere(owner, { source }, id)
    expect(await isLost('google', sure.id)).toBe(true)
    expect([await isLost('google', doubted.id), await isLost('facebook', sure.id)]).toEqual([false, false])
    await owner.rows(BusinessLocation).update(doubted.id, { in_doubt: undefined })
    expect(await doubtedLocations(owner, 5)).toEqual([])
    await gate.stop()
    await documents?.close()
  })
})
