import { definePlugin } from 'renown'
import { postTarget } from 'renown/posts'
import { profileSource } from 'renown/profiles'
import { platformId } from 'renown/records'
import { reviewSource } from 'renown/reviews'
import { googleConnection } from './connection'
import { googleListingId } from './id'
import { googlePosts } from './posts'
import { googleProfiles } from './profile'
import { googleReviews } from './reviews'
import { googleSettings } from './settings'

export default definePlugin({
  name: 'google',
  summary: 'Google business profiles: accounts, reviews, replies and posts',
  renown: '^1.0.0',
  needs: ['enrichment', 'posts', 'reviews'],
  settings: googleSettings,
  connections: [googleConnection],
  provides: [
    reviewSource.with(googleReviews),
    profileSource.with(googleProfiles),
    platformId.with(googleListingId),
    postTarget.with(googlePosts),
  ],
})
