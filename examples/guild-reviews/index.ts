import { definePlugin } from 'renown'
import { locationCard } from 'renown/locations'
import { reviewSource } from 'renown/reviews'
import { guildCard, Review } from './card'
import { guildConnection } from './connection'
import { guildReviews } from './reviews'
import { guildSettings } from './settings'

export default definePlugin({
  name: 'guild',
  renown: '^1.0.0',
  needs: ['reviews'],
  settings: guildSettings,
  connections: [guildConnection],
  reads: [Review],
  provides: [reviewSource.with(guildReviews), locationCard.with(guildCard)],
})
