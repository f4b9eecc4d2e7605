import { definePlugin } from 'renown'
import { postTarget } from 'renown/posts'
import { profileSource } from 'renown/profiles'
import { platformId } from 'renown/records'
import { reviewSource } from 'renown/reviews'
import { facebookConnection } from './connection'
import { Figures, Noted } from './figures'
import { facebookPageId } from './id'
import { facebookPosts } from './posts'
import { facebookProfiles } from './profile'
import { facebookReviews } from './reviews'
import { facebookSettings } from './settings'

export default definePlugin({
  name: 'facebook',
  summary: 'Facebook Pages: recommendations, replies and posts',
  renown: '^1.0.0',
  needs: ['enrichment', 'posts', 'reviews'],
  settings: facebookSettings,
  connections: [facebookConnection],
  reads: [Figures, Noted],
  provides: [
    reviewSource.with(facebookReviews),
    profileSource.with(facebookProfiles),
    platformId.with(facebookPageId),
    postTarget.with(facebookPosts),
  ],
})
