/** No words: the scripts of pages load this file in the place of words. A page gets its words as data, in its language. */
export default {}
