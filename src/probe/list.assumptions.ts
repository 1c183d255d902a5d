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

const place = 'study/study-page.ts';
const query = 'study/study-page.ts';
const wrongPage: Refutation = {
  consequence:
    '`studies` with this argument fails with `UPSTREAM_CONTRACT`, instead of returning a wrong page.',
  change: 'Send the parameter that the API expects in study/study-page.ts.',
};

/** Assumptions about `GET /studies`. */
export const listAssumptions: readonly Assumption[] = [
  {
    id: 'list.exists',
    claim: '`GET /studies` lists studies.',
    source: 'reference',
    access: 'reads',
    place: 'study/study.api.ts',
    consequence: '`studies` always fails; everything else works.',
    change: 'Remove `studies` from study/study.resolver.ts.',
    check: judgeList,
  },
  {
    id: 'list.page',
    claim: 'A list is an object with `items`, `total`, `page`, `size` and `pages`.',
    source: 'inferred',
    access: 'reads',
    place,
    needs: 'http.encoding',
    consequence:
      '`studies` fails with `UPSTREAM_CONTRACT` if there are no `items`. A bare array is read as the first page; a missing number is `null`.',
    change: 'Parse the format in study/study-page.ts.',
    check: judgePage,
  },
  {
    id: 'list.items',
    claim: 'A study in the list has the same fields as when it is read by id.',
    source: 'inferred',
    access: 'reads',
    place,
    consequence:
      'A field that is missing in the list is `null`, or an error if the schema requires the field.',
    change: 'Define a type with only the fields of the list in study/study-page.type.ts.',
    check: judgeItems,
  },
  {
    id: 'list.default',
    claim: 'Without `page` and `size`, the list is the first page of at most 50 studies.',
    source: 'inferred',
    access: 'reads',
    place: query,
    consequence:
      'No effect, except that `MAX_LISTED_STUDIES` counts 50 studies for a list without `size`.',
    change: 'Correct `DEFAULT_PAGE_SIZE` in study/study-page.ts.',
    check: judgeDefault,
  },
  {
    id: 'list.size',
    claim: '`size` limits the number of studies on a page.',
    source: 'inferred',
    access: 'reads',
    place: query,
    ...wrongPage,
    check: judgeSize,
  },
  {
    id: 'list.page-number',
    claim: '`page` selects the page; the first page is 1.',
    source: 'inferred',
    access: 'reads',
    place: query,
    needs: 'list.size',
    ...wrongPage,
    consequence:
      'If the answer has another `page`, `studies` fails with `UPSTREAM_CONTRACT`; otherwise clients get the wrong page.',
    check: judgePageNumber,
  },
  {
    id: 'list.project',
    claim: '`projectId` restricts the list to the studies of one project.',
    source: 'inferred',
    access: 'reads',
    place: query,
    ...wrongPage,
    check: judgeProject,
  },
  {
    id: 'list.projects',
    claim: '`projectId` accepts several ids, separated by commas.',
    source: 'inferred',
    access: 'reads',
    place: query,
    needs: 'list.project',
    ...wrongPage,
    consequence: '`studies` of several projects fails, or returns too few studies.',
    check: judgeProjects,
  },
];
