import type { Assumption } from './assumption.js';
import {
  judgeDefault,
  judgeItems,
  judgeList,
  judgePage,
  judgePageNumber,
  judgeProject,
  judgeProjects,
  judgeSize,
} from './list.check.js';
import type { Refutation } from './verdict.js';

const place = 'study/study-page.wire.ts';
const query = 'study/study-page.query.ts';
const wrongPage: Refutation = {
  consequence:
    '`studies` with the argument fails with `UPSTREAM_CONTRACT`: no wrong page is shown.',
  change: 'Write what the API understands in study/study-page.query.ts.',
};

/** `GET /studies`. */
export const listAssumptions: readonly Assumption[] = [
  {
    id: 'list.exists',
    claim: '`GET /studies` lists studies.',
    source: 'reference',
    access: 'reads',
    place: 'study/study.api.ts',
    consequence: '`studies` is an error; everything else works.',
    change: 'Take `studies` out of study/study.resolver.ts.',
    check: judgeList,
  },
  {
    id: 'list.page',
    claim: 'A list is an object of `items`, `total`, `page`, `size` and `pages`.',
    source: 'inferred',
    access: 'reads',
    place,
    needs: 'http.encoding',
    consequence:
      'Without `items` the list is `UPSTREAM_CONTRACT`; a bare array is read as the first page; a missing number is `null`.',
    change: 'Read the shape in study/study-page.wire.ts.',
    check: judgePage,
  },
  {
    id: 'list.items',
    claim: 'An item of the list has the fields that a read of the study has.',
    source: 'inferred',
    access: 'reads',
    place,
    consequence: 'A field that items lack is `null`, or an error where the schema requires it.',
    change: 'Let the list’s own type in study/study-page.type.ts have the fields of an item.',
    check: judgeItems,
  },
  {
    id: 'list.default',
    claim: 'Without `page` and `size` the list is the first page, of 50 studies at most.',
    source: 'inferred',
    access: 'reads',
    place: query,
    consequence:
      'Works all the same; a list without a `size` may count for more studies than its limit.',
    change: 'Correct `DEFAULT_PAGE_SIZE` in study/study-page.query.ts.',
    check: judgeDefault,
  },
  {
    id: 'list.size',
    claim: '`size` limits the studies of a page.',
    source: 'inferred',
    access: 'reads',
    place: query,
    ...wrongPage,
    check: judgeSize,
  },
  {
    id: 'list.page-number',
    claim: '`page` chooses the page, from 1.',
    source: 'inferred',
    access: 'reads',
    place: query,
    needs: 'list.size',
    ...wrongPage,
    consequence:
      'A page with another number fails with `UPSTREAM_CONTRACT`; one that says the number asked for is shown, wrong as it is.',
    check: judgePageNumber,
  },
  {
    id: 'list.project',
    claim: '`projectId` lists the studies of one project only.',
    source: 'inferred',
    access: 'reads',
    place: query,
    ...wrongPage,
    check: judgeProject,
  },
  {
    id: 'list.projects',
    claim: '`projectId` takes several ids, with commas between them.',
    source: 'inferred',
    access: 'reads',
    place: query,
    needs: 'list.project',
    ...wrongPage,
    consequence: '`studies` of several projects are an error, or lack studies.',
    check: judgeProjects,
  },
];
