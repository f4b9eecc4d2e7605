import type { PageProps } from 'renown/web'
import type { ShownReview } from './loadReview'
import type { ReviewsData } from './loadReviews'
import { searchOf } from './review-filters'

const path = '/app/reviews'

/** The props of the page and the selected review. */
export type DetailProps = PageProps<ReviewsData> & { readonly of: ShownReview }

/** Returns the common parts of a form about a review: its id, and the state of the page. */
export function formOf({ data, csrf, of: review }: DetailProps, name: string) {
  const search = searchOf(data.asked)
  return {
    action: `${path}/${name}`,
    csrf,
    hidden: { review: review.id, back: `${path}?${search}` },
  }
}
