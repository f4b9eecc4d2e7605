import { testPlugin } from 'renown/testing'
import posts from '../../../plugins/posts/index'

testPlugin(posts)
