/** The purposes of crawlers, in the order of the chart. */
export const categories: Readonly<
  Record<string, { readonly name: string; readonly colour: 'c1' | 'c2' | 'c3' | 'c4' }>
> = {
  ai_answers: { name: 'Answers', colour: 'c1' },
  search_index: { name: 'Search index', colour: 'c2' },
  training: { name: 'Training', colour: 'c3' },
  other_ai: { name: 'Other AI', colour: 'c4' },
}
