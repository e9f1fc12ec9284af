// SPDX-License-Identifier: MIT
// Numbers keep all their digits, so that a resumed bisect decides as the first one did.
#include "record.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "msgring/error.hpp"

namespace msgring::bisect {
namespace {

using nlohmann::ordered_json;

constexpr int kSchema = 1;

template <class Read>
auto parsed(std::string_view text, std::string_view source, Read read) {
  try {
    const ordered_json json = ordered_json::parse(text);
    if (json.at("schema") != kSchema) {
      throw Error(ExitStatus::kInvalid, fmt::format("{}: is of another msgring", source),
                  "begin a new bisect");
    }
    return read(json);
  } catch (const ordered_json::exception& error) {
    throw Error(ExitStatus::kInvalid, fmt::format("{}: {}", source, error.what()),
                "the folder is damaged; begin a new bisect");
  }
}

ordered_json figures_json(const Figures& figures) {
  return {
      {"subject", figures.subject},     {"unit", figures.unit},
      {"good_cost", figures.good_cost}, {"cost", figures.cost},
      {"delta", figures.delta},         {"interval", {figures.interval.low, figures.interval.high}},
      {"doubt", figures.doubt}};
}

Figures figures_from(const ordered_json& json) {
  Figures figures;
  json.at("subject").get_to(figures.subject);
  json.at("unit").get_to(figures.unit);
  json.at("good_cost").get_to(figures.good_cost);
  json.at("cost").get_to(figures.cost);
  json.at("delta").get_to(figures.delta);
  json.at("interval").at(0).get_to(figures.interval.low);
  json.at("interval").at(1).get_to(figures.interval.high);
  json.at("doubt").get_to(figures.doubt);
  return figures;
}

}  // namespace

std::string question_json(const Question& question) {
  const ordered_json json{{"schema", kSchema},
                          {"asked", question.asked},
                          {"tree", question.tree},
                          {"good", question.good},
                          {"bad", question.bad},
                          {"config", question.config},
                          {"candidates", question.candidates},
                          {"primary", question.primary},
                          {"threshold", question.threshold},
                          {"plan", question.plan},
                          {"bench_sha256", question.bench_sha256}};
  return json.dump(2) + "\n";
}

Question parse_question(std::string_view text, std::string_view source) {
  return parsed(text, source, [](const ordered_json& json) {
    Question question;
    json.at("asked").get_to(question.asked);
    json.at("tree").get_to(question.tree);
    json.at("good").get_to(question.good);
    json.at("bad").get_to(question.bad);
    json.at("config").get_to(question.config);
    json.at("candidates").get_to(question.candidates);
    json.at("primary").get_to(question.primary);
    json.at("threshold").get_to(question.threshold);
    json.at("plan").get_to(question.plan);
    json.at("bench_sha256").get_to(question.bench_sha256);
    return question;
  });
}

std::string step_json(const Step& step) {
  ordered_json json{{"schema", kSchema},
                    {"number", step.number},
                    {"candidate", step.candidate},
                    {"label", step.label},
                    {"answer", answer_text(step.decision.answer)},
                    {"reason", step.decision.reason}};
  if (step.measured.figures) {
    json["figures"] = figures_json(*step.measured.figures);
    json["remark"] = step.measured.remark;
  } else {
    json["obstacle"] = step.measured.obstacle;
  }
  return json.dump(2) + "\n";
}

Step parse_step(std::string_view text, std::string_view source) {
  return parsed(text, source, [source](const ordered_json& json) {
    Step step;
    json.at("number").get_to(step.number);
    json.at("candidate").get_to(step.candidate);
    json.at("label").get_to(step.label);
    json.at("reason").get_to(step.decision.reason);
    const auto answer = parse_answer(json.at("answer").get<std::string>());
    if (!answer) {
      throw Error(ExitStatus::kInvalid,
                  fmt::format("{}: {} is no answer", source, json.at("answer").dump()));
    }
    step.decision.answer = *answer;
    if (json.contains("figures")) {
      step.measured.figures = figures_from(json.at("figures"));
      json.at("remark").get_to(step.measured.remark);
    } else {
      json.at("obstacle").get_to(step.measured.obstacle);
    }
    return step;
  });
}

}  // namespace msgring::bisect
