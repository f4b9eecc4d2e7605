import { definePlugin } from 'renown'
import { locationCard } from 'renown/locations'
import { setupStep } from 'renown/pages'
import { platformId } from 'renown/records'
import { reviewSource } from 'renown/reviews'
import { guildCard, Review } from './card'
import { guildConnection } from './connection'
import { guildReviews } from './reviews'
import { guildSettings } from './settings'
import { BusinessLocation, guildSetup } from './setup'
import { guildShopId } from './shop-id'

export default definePlugin({
  name: 'guild',
  renown: '^1.0.0',
  needs: ['reviews'],
  settings: guildSettings,
  connections: [guildConnection],
  reads: [BusinessLocation, Review],
  provides: [
    reviewSource.with(guildReviews),
    platformId.with(guildShopId),
    setupStep.with(guildSetup),
    locationCard.with(guildCard),
  ],
})
