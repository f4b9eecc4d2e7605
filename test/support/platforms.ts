import { definePlugin } from 'renown'
import { type PlatformId, platformId } from 'renown/records'
import type { Providers } from '../../core/contracts/connection'
import { jobsPlugin } from '../../core/product/jobs-plugin'
import { platforms } from '../../plugins'
import enrichment from '../../plugins/enrichment'
import { facebookConnection } from '../../plugins/facebook/connection'
import { facebookPageId } from '../../plugins/facebook/id'
import { facebookSettings } from '../../plugins/facebook/settings'
import { googleConnection } from '../../plugins/google/connection'
import { googleListingId } from '../../plugins/google/id'
import { googleSettings } from '../../plugins/google/settings'
import leads from '../../plugins/leads'
import { googlePlaceId } from '../../plugins/places/id'
import posts from '../../plugins/posts'
import reviews from '../../plugins/reviews'
import { replySettings } from '../../plugins/reviews/settings'
import visibility from '../../plugins/visibility'

const connections = [googleConnection, facebookConnection]

/** Core's own plugin of queues and connections, with the commands for the platforms in the box. */
export const jobs = jobsPlugin(connections)

/** The platforms in the box, and what they need. */
export const platformPlugins = [enrichment, leads, posts, reviews, visibility, ...platforms]

/** The ids that locations have on the platforms in the box. */
export const platformIdsInTheBox: readonly PlatformId[] = [googleListingId, facebookPageId, googlePlaceId]

/** These ids alone, for tests that need nothing else of the platforms. */
export const platformIdsPlugin = definePlugin({
  name: 'platform-ids',
  renown: '^1.0.0',
  provides: platformIdsInTheBox.map((id) => platformId.with(id)),
})

/** The services in the box whose accounts people connect. */
export const providers: Providers = new Map(connections.map((one) => [one.provider, one]))

/** The settings of these services. */
export const platformSettings = {
  ...googleSettings.declared,
  ...facebookSettings.declared,
  ...replySettings.declared,
}
