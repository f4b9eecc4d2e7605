import { definePlugin } from 'renown'
import { reviewSource } from 'renown/reviews'
import { Figures, Noted } from './figures'
import { facebookReviews } from './reviews'

export default definePlugin({
  name: 'facebook',
  summary: 'Facebook Pages: recommendations and replies',
  renown: '^1.0.0',
  needs: ['reviews'],
  reads: [Figures, Noted],
  provides: [reviewSource.with(facebookReviews)],
})
