import { defineRate } from 'renown'

/** Hits come in sessions, so the intervals only show the size of the sample and are not a test. */
export const verifiedShare = defineRate(
  'ai_traffic.verified_share@1',
  "Crawler hits from inside the operators' published ranges, among all crawler hits",
)

export const spoofedShare = defineRate(
  'ai_traffic.spoofed_share@1',
  'Share of crawler hits from outside the ranges, among those that could be checked (verified + spoofed)',
)

export const answersShare = defineRate(
  'ai_traffic.answers_share@1',
  'Share of crawler hits with the category ai_answers',
)

export const pageShare = defineRate(
  'ai_traffic.page_share@1',
  "The page's listed crawler hits, among all crawler hits of the period in the category asked for",
)
