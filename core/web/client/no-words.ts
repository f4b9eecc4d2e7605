/** Stands for the words of the shared parts in the scripts of pages. A page gets them as data, in its language. */
export default {}
