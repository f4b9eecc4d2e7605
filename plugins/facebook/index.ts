import { definePlugin, platformId } from 'renown'
import { profileSource } from 'renown/profiles'
import { reviewSource } from 'renown/reviews'
import { facebookConnection } from './connection'
import { Figures, Noted } from './figures'
import { facebookPageId } from './id'
import { facebookProfiles } from './profile'
import { facebookReviews } from './reviews'
import { facebookSettings } from './settings'

export default definePlugin({
  name: 'facebook',
  summary: 'Facebook Pages: recommendations and replies',
  renown: '^1.0.0',
  needs: ['enrichment', 'reviews'],
  settings: facebookSettings,
  connections: [facebookConnection],
  reads: [Figures, Noted],
  provides: [
    reviewSource.with(facebookReviews),
    profileSource.with(facebookProfiles),
    platformId.with(facebookPageId),
  ],
})
