// Prints the OpenAPI document of a Study API on NestJS: as its generator makes it of decorators and types.
import 'reflect-metadata';
import { Body, Controller, Get, Headers, Module, Param, Patch, Post, Query } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import {
  ApiBearerAuth,
  ApiCreatedResponse,
  ApiExtraModels,
  ApiOkResponse,
  ApiProperty,
  ApiPropertyOptional,
  ApiQuery,
  DocumentBuilder,
  OmitType,
  PartialType,
  SwaggerModule,
  getSchemaPath,
} from '@nestjs/swagger';

class Progress {
  @ApiProperty() total: number;
  @ApiProperty() completed: number;
  @ApiProperty() failed: number;
}

class CreateStudyDto {
  @ApiPropertyOptional() description?: string;
  @ApiProperty({ format: 'uuid' }) projectId: string;
  @ApiPropertyOptional() createdAt?: Date;
  @ApiPropertyOptional() bookmarked?: boolean;
  @ApiPropertyOptional() language?: string;
  @ApiPropertyOptional({ type: [String] }) audiences?: string[];
  @ApiPropertyOptional({ type: [String] }) problems?: string[];
  @ApiPropertyOptional({ type: [String] }) files?: string[];
  @ApiPropertyOptional() progress?: Progress;
  @ApiPropertyOptional({ enum: ['draft', 'running', 'done'] }) status?: string;
  @ApiPropertyOptional({ format: 'uuid' }) solutionId?: string;
  @ApiPropertyOptional({ format: 'uuid' }) researchGoalId?: string;
  @ApiPropertyOptional({ type: [String] }) knowledgeGraphs?: string[];
  @ApiPropertyOptional() strategy?: string;
  @ApiPropertyOptional({ type: 'integer' }) interviewCount?: number;
  @ApiPropertyOptional({ type: [String] }) interviews?: string[];
}

class UpdateStudyDto extends PartialType(
  OmitType(CreateStudyDto, ['problems', 'solutionId', 'researchGoalId'] as const),
) {}

class Study extends CreateStudyDto {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty({ type: [Object] }) audiencesObj: object[];
  @ApiProperty({ type: [Object] }) problemsObj: object[];
  @ApiProperty({ type: String, nullable: true }) planId: string | null;
  @ApiProperty({ type: Object, nullable: true }) solution: object | null;
  @ApiProperty({ type: Object, nullable: true }) researchGoal: object | null;
  @ApiProperty({ type: [String] }) summaries: string[];
}

/** What is around each answer. The type of `data` differs, so each operation names its schema. */
class Envelope {
  @ApiProperty() requestId: string;
}

class PageMeta {
  @ApiProperty({ type: 'integer' }) page: number;
  @ApiProperty({ type: 'integer' }) limit: number;
  @ApiProperty({ type: 'integer' }) totalItems: number;
  @ApiProperty({ type: 'integer' }) pageCount: number;
}

const around = (data: object) => ({
  schema: {
    allOf: [{ $ref: getSchemaPath(Envelope) }, { properties: { data } }],
  },
});
const study = { $ref: getSchemaPath(Study) };
const meta = { $ref: getSchemaPath(PageMeta) };
const data = { type: 'array', items: study };

@ApiBearerAuth()
@ApiExtraModels(Envelope, Study, PageMeta)
@Controller('studies')
class StudiesController {
  @Post()
  @ApiCreatedResponse(around(study))
  create(@Body() _body: CreateStudyDto, @Headers('Idempotency-Key') _key: string): void {}

  @Get()
  @ApiQuery({ name: 'page', required: false, type: 'integer', minimum: 1, default: 1 })
  @ApiQuery({ name: 'limit', required: false, type: 'integer' })
  @ApiQuery({ name: 'projectIds', required: false, type: String, isArray: true })
  @ApiOkResponse({ schema: { properties: { data, meta } } })
  list(@Query() _query: object): void {}

  @Get(':id')
  @ApiOkResponse(around(study))
  read(@Param('id') _id: string): void {}

  @Patch(':id')
  @ApiOkResponse(around(study))
  edit(@Param('id') _id: string, @Body() _body: UpdateStudyDto): void {}
}

@Module({ controllers: [StudiesController] })
// oxlint-disable-next-line typescript/no-extraneous-class -- a module of NestJS is its decorator
class AppModule {}

const app = await NestFactory.create(AppModule, { logger: false });
app.setGlobalPrefix('api/v1');
const config = new DocumentBuilder().setTitle('Studies').setVersion('1').addBearerAuth().build();
process.stdout.write(JSON.stringify(SwaggerModule.createDocument(app, config)));
