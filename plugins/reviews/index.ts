import { definePlugin } from 'renown'
import { autoResponse } from './autoResponse'
import { reviewsDemo } from './demo'
import { Review } from './Review'

/** Customer reviews from the platforms. */
export default definePlugin({
  name: 'reviews',
  summary: 'Customer reviews of business locations',
  renown: '^1.0.0',
  entities: [Review],
  states: [autoResponse],
  demo: reviewsDemo,
})
