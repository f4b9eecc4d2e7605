import { definePlugin } from 'renown'
import { reviewSource } from 'renown/reviews'
import { guildConnection } from './connection'
import { guildReviews } from './reviews'
import { guildSettings } from './settings'

export default definePlugin({
  name: 'guild',
  renown: '^1.0.0',
  needs: ['reviews'],
  settings: guildSettings,
  connections: [guildConnection],
  provides: [reviewSource.with(guildReviews)],
})
