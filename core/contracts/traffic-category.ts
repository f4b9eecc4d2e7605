/** Why an AI agent fetches a page. `ai_answers` is the closest to an impression. */
export const trafficCategories = ['ai_answers', 'search_index', 'training', 'other_ai'] as const
/** One of the four categories. */
export type TrafficCategory = (typeof trafficCategories)[number]
