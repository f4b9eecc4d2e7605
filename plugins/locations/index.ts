import { definePlugin } from 'renown'
import { homeCard, setupStep } from 'renown/pages'
import { BusinessLocation, SyncStatus } from 'renown/records'
import { notes } from './cards/notes'
import { profile } from './cards/profile'
import { readings } from './cards/readings'
import { state } from './cards/state'
import { locationCard } from './contract'
import { homeCards } from './home'
import { confirmPage } from './pages/confirmPage'
import { listPage } from './pages/listPage'
import { onePage } from './pages/onePage'
import { locationsSetup } from './setup'

/** The pages of business locations, made of cards that plugins provide. */
export default definePlugin({
  name: 'locations',
  summary: 'Pages of business locations',
  renown: '^1.0.0',
  needs: ['tenancy'],
  reads: [BusinessLocation, SyncStatus],
  extensionPoints: [locationCard],
  provides: [
    ...[profile, state, notes, readings].map((card) => locationCard.with(card)),
    ...homeCards.map((card) => homeCard.with(card)),
    setupStep.with(locationsSetup),
  ],
  pages: [listPage, onePage, confirmPage],
})
