// Prints the OpenAPI document of a Study API on Express: as swagger-jsdoc makes it of the comments at its routes.
import { fileURLToPath } from 'node:url';
import swaggerJsdoc from 'swagger-jsdoc';

/**
 * @openapi
 * components:
 *   parameters:
 *     PageNumber: { name: page_number, in: query, schema: { type: integer, minimum: 0, default: 0 } }
 *     PageSize: { name: page_size, in: query, schema: { type: integer, maximum: 100, default: 20 } }
 *   responses:
 *     Study:
 *       description: The study
 *       content: { application/json: { schema: { $ref: '#/components/schemas/Study' } } }
 *     Error:
 *       description: A refusal
 *       content: { application/problem+json: { schema: { type: object, properties: { title: { type: string } } } } }
 *   schemas:
 *     Text: { type: [string, 'null'] }
 *     Texts: { type: array, items: { type: string } }
 *     Uuid: { type: [string, 'null'], format: uuid }
 *     Progress:
 *       type: object
 *       properties: { total: { type: integer }, completed: { type: integer }, failed: { type: integer } }
 *     EditStudy:
 *       type: object
 *       properties:
 *         description: { $ref: '#/components/schemas/Text' }
 *         project_id: { type: string, format: uuid }
 *         created_at: { type: string, format: date-time }
 *         bookmarked: { type: boolean }
 *         language: { $ref: '#/components/schemas/Text' }
 *         audiences: { $ref: '#/components/schemas/Texts' }
 *         files: { $ref: '#/components/schemas/Texts' }
 *         progress: { oneOf: [{ $ref: '#/components/schemas/Progress' }, { type: 'null' }] }
 *         status: { $ref: '#/components/schemas/Text' }
 *         kg_ids: { $ref: '#/components/schemas/Texts' }
 *         strategy: { $ref: '#/components/schemas/Text' }
 *         interview_count: { type: integer }
 *         interviews: { $ref: '#/components/schemas/Texts' }
 *     CreateStudy:
 *       allOf:
 *         - $ref: '#/components/schemas/EditStudy'
 *         - type: object
 *           required: [project_id, problems]
 *           properties:
 *             problems: { $ref: '#/components/schemas/Texts' }
 *             solution_id: { $ref: '#/components/schemas/Uuid' }
 *             research_goal_id: { $ref: '#/components/schemas/Uuid' }
 *     Study:
 *       allOf:
 *         - $ref: '#/components/schemas/CreateStudy'
 *         - type: object
 *           required: [id]
 *           properties:
 *             id: { type: string, format: uuid }
 *             audiences_obj: { type: array, items: { type: object } }
 *             problems_obj: { type: array, items: { type: object } }
 *             solution: { type: [object, 'null'] }
 *             research_goal: { type: [object, 'null'] }
 *             summaries: { $ref: '#/components/schemas/Texts' }
 *             updated_at: { type: string, format: date-time }
 *     StudyList:
 *       type: object
 *       properties:
 *         results: { type: array, items: { $ref: '#/components/schemas/Study' } }
 *         total_count: { type: integer }
 */

/**
 * @openapi
 * /studies:
 *   post:
 *     requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/CreateStudy' } } } }
 *     responses: { 201: { $ref: '#/components/responses/Study' }, 422: { $ref: '#/components/responses/Error' } }
 *   get:
 *     parameters:
 *       - $ref: '#/components/parameters/PageNumber'
 *       - $ref: '#/components/parameters/PageSize'
 *     responses:
 *       200:
 *         description: The studies
 *         content: { application/json: { schema: { $ref: '#/components/schemas/StudyList' } } }
 */

/**
 * @openapi
 * /studies/{studyId}:
 *   patch:
 *     requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/EditStudy' } } } }
 *     responses: { 200: { $ref: '#/components/responses/Study' }, default: { $ref: '#/components/responses/Error' } }
 */

const definition = {
  openapi: '3.1.0',
  info: { title: 'Studies', version: '1' },
  servers: [{ url: 'https://studies.example/v1' }],
};
const apis = [fileURLToPath(import.meta.url)];
process.stdout.write(JSON.stringify(swaggerJsdoc({ definition, apis })));
