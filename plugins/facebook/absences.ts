import type { Absences } from 'renown/reviews'

const ratingsDoc = 'developers.facebook.com/docs/graph-api/reference/page/ratings'
const commentsDoc = 'developers.facebook.com/docs/graph-api/reference/object/comments'
const seen = 'seen: complete answers without it, such as for a token with fewer rights'

/** What it means when Facebook's answers about a recommendation leave something out. It holds for lists and looks. */
export const facebookAbsences: Absences = {
  fields: {
    reviewer_name: {
      means: 'unknown',
      wire: ['reviewer', 'reviewer.id', 'reviewer.name'],
      source: `${ratingsDoc}: the reviewer is only returned with the right access`,
    },
    // A recommendation has no stars. A rating without stars is not read at all.
    star_rating: {
      means: 'none',
      wire: ['rating'],
      source: `${ratingsDoc}: recommendations replaced ratings`,
    },
    review_text: { means: 'unknown', wire: ['review_text'], source: seen },
    // Only the complete list of comments, each with its author, says that none is by the Page. The answer then has `saidNone`.
    reply: {
      means: 'unknown',
      wire: [
        'open_graph_story',
        'open_graph_story.comments',
        'open_graph_story.comments.paging',
        'open_graph_story.comments.paging.cursors',
        'open_graph_story.comments.paging.cursors.after',
        'open_graph_story.comments.paging.next',
        'open_graph_story.comments.data.from',
        'open_graph_story.comments.data.message',
        'open_graph_story.comments.data.created_time',
      ],
      source: `${commentsDoc}: the list is always sent, also if it is empty`,
    },
    metadata: { means: 'unknown', wire: ['recommendation_type'], source: seen },
  },
}
